import { defineConfig } from "vitest/config";

/** `npm run test:cluster`: three gateways and a PostgreSQL of their own, which nothing else may slow down. */
export default defineConfig({
  test: {
    include: ["test/cluster/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    // What one round has broken, the next ones find broken.
    bail: 1,
    testTimeout: 1_500_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
