import { defineConfig } from "vitest/config";

/** `npm run test:agents`: one agent at a time, for each starts a gateway and more programs. */
export default defineConfig({
  test: {
    include: ["test/agents/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
