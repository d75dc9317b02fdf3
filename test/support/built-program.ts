import { join } from "node:path";
import { Build } from "../../scripts/setup/build.mjs";
import { withLock } from "../../scripts/setup/lock.mjs";
import { NodeRuntime } from "../../scripts/setup/node-runtime.mjs";

/*
 * Importing this file builds dist/ if src/ is newer. So a test file that starts the program can be
 * run alone, and other files need no build. The build runs at import, because a test has a timeout.
 */
const build = new Build(new NodeRuntime());
if (!build.isDone()) {
  await withLock(async () => {
    if (!build.isDone()) await build.run();
  });
}

/** The built program's main file. */
export const builtProgram = join(import.meta.dirname, "../../dist/main.js");
