import { defineConfig } from "vitest/config";

// Tests import src/**/*.ts. What they start as a thread of its own (a piscina worker) is not loaded
// by vitest but by Node itself, which strips the types: such a file is named `.ts` when src/ runs
// and `.js` when dist/ does, so it takes its own extension from `import.meta.url`.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // `npm run test:agents`: they need programs that the lock file does not have.
    exclude: ["test/agents/**"],
    // Processes, not threads: native add-ons and signal handlers belong to a process.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
