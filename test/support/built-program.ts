import { join } from "node:path";
import { Build } from "../../scripts/setup/build.mjs";
import { withLock } from "../../scripts/setup/lock.mjs";
import { NodeRuntime } from "../../scripts/setup/node-runtime.mjs";

/*
 * Importing this file builds dist/ where src/ is newer: a file that starts the program can be run by
 * itself, and one that does not needs no build. It is done at import, for a test's time runs out.
 */
const build = new Build(new NodeRuntime());
if (!build.isDone()) {
  await withLock(async () => {
    if (!build.isDone()) await build.run();
  });
}

/** The built program's main file. */
export const builtProgram = join(import.meta.dirname, "../../dist/main.js");
