import { mkdirSync } from "node:fs";
import { Build } from "./build.mjs";
import { Dependencies } from "./dependencies.mjs";
import { withLock } from "./lock.mjs";
import { NodeRuntime } from "./node-runtime.mjs";
import { toolchainDir } from "./paths.mjs";
import { SetupError, say } from "./progress.mjs";

/**
 * The possible arguments: `runtime` leaves out packages that only development needs, `build` also
 * makes dist/.
 */
export const words = ["runtime", "build"];

/**
 * Makes the clone ready: a suitable Node, the dependencies and, on request, dist/. If all of them are there,
 * it ends in about 0.1 s.
 * @param {readonly string[]} asked out of `words`
 * @returns {Promise<boolean>} false: it could not be done, and stderr says why
 */
export async function setUp(asked) {
  try {
    const runtime = new NodeRuntime();
    const level = asked.includes("runtime") ? "runtime" : "development";
    const dependencies = new Dependencies(runtime, level);
    const build = asked.includes("build") ? [new Build(runtime)] : [];
    await takeSteps([runtime, dependencies, ...build]);
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    return false;
  }
}

/** @param {readonly { isDone(): boolean, run(): Promise<void> }[]} steps */
async function takeSteps(steps) {
  if (steps.every((step) => step.isDone())) return;
  mkdirSync(toolchainDir, { recursive: true });
  await withLock(async () => {
    for (const step of steps) {
      // Checked again, because the last holder of the lock may have done it.
      if (!step.isDone()) await step.run();
    }
  });
}
