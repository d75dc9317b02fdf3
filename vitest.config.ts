import { defineConfig } from "vitest/config";
import { onBothStores } from "./test/both-stores.ts";
import { isPostgresThere, mustHavePostgres, postgresSkipped } from "./test/support/postgres.ts";

// `npm test` runs everything but `*.long.test.ts`; `npm run test:long` runs those, and once more, for
// longer, what attacks the books: the kills and the simulator. Without either (a path is named),
// every file can be run.
const attacks = ["test/crash/**/*.test.ts", "test/sim/**/*.test.ts"];
const long = "test/**/*.long.test.ts";
const which = process.env["WEIR_TESTS"];
const exclude = [
  // `npm run test:agents`: they need programs that the lock file does not have.
  "test/agents/**",
  // `npm run test:cluster`: it needs the machine for itself.
  "test/cluster/**",
  ...(which === "short" ? [long] : []),
];

// Rooms whose tests start nothing and leave nothing behind: their files share a process, which
// halves their time.
const pure =
  "test/{billing,config,contract,detectors,exchange,json,openapi,pipeline,runtime,sse}/**/*.test.ts";

// With WEIR_TEST_STORE somebody has chosen one store by hand.
const bothStores = which !== "long" && process.env["WEIR_TEST_STORE"] === undefined;
const canShare = bothStores && (mustHavePostgres || (await isPostgresThere()));
if (bothStores && !canShare) console.warn(postgresSkipped);

// Tests import src/**/*.ts. What they start as a thread of its own (a piscina worker) is not loaded
// by vitest but by Node itself, which strips the types: such a file is named `.ts` when src/ runs
// and `.js` when dist/ does, so it takes its own extension from `import.meta.url`.
export default defineConfig({
  test: {
    // Processes, not threads: native add-ons and signal handlers belong to a process.
    pool: "forks",
    // One more than a small machine has cores, because many tests wait for sockets, disks and processes.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Vitest's own second is too short for a machine under load; who waits for a condition waits.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "whole",
          include: which === "long" ? [long, ...attacks] : ["test/**/*.test.ts"],
          exclude: [pure, ...exclude],
        },
      },
      {
        extends: true,
        test: {
          name: "pure",
          include: [which === "long" ? pure.replace("*.test", "*.long.test") : pure],
          exclude,
          isolate: false,
        },
      },
      ...(canShare
        ? [
            {
              extends: true as const,
              test: {
                name: "shared",
                include: [...onBothStores],
                env: { WEIR_TEST_STORE: "postgres" },
                // These files have run alone, on the embedded store. Here they share processes.
                isolate: false,
                // Each gateway has a database made for it.
                testTimeout: 60_000,
                hookTimeout: 60_000,
              },
            },
          ]
        : []),
    ],
  },
});
