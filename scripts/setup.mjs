// Makes a clone ready to run: `node scripts/setup.mjs` brings Node and the dependencies,
// `node scripts/setup.mjs build` also dist/. Every npm script begins with one of the two, then
// uses `.toolchain/bin/node`.
//
// This file and scripts/setup/ run before anything is installed, on Node 18 and later: plain
// JavaScript, no dependencies. Progress goes to stderr, so that stdout is the program's own.
import { mkdirSync } from "node:fs";
import { Build } from "./setup/build.mjs";
import { Dependencies } from "./setup/dependencies.mjs";
import { NodeRuntime } from "./setup/node-runtime.mjs";
import { SetupError, say } from "./setup/progress.mjs";
import { toolchainDir } from "./setup/paths.mjs";
import { withLock } from "./setup/lock.mjs";

/** @param {boolean} withBuild */
async function setUp(withBuild) {
  const runtime = new NodeRuntime();
  const dependencies = new Dependencies(runtime);
  const steps = withBuild ? [runtime, dependencies, new Build(runtime)] : [runtime, dependencies];
  if (steps.every((step) => step.isDone())) return;

  mkdirSync(toolchainDir, { recursive: true });
  await withLock(async () => {
    for (const step of steps) {
      // Asked again: whoever held the lock before may have done it.
      if (!step.isDone()) await step.run();
    }
  });
}

try {
  await setUp(process.argv[2] === "build");
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
