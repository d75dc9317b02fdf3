// The build's data for `GET /version`, written beside the built code: `node
// scripts/setup/build-identity.mjs FOLDER [COMMIT]`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @param {string} folder where `build.json` goes
 * @param {string | undefined} commit undefined: the checkout's, or null outside of one
 */
export function writeBuildIdentity(folder, commit = checkedOutCommit()) {
  const identity = { commit: commit ?? null, built_at: new Date().toISOString() };
  writeFileSync(path.join(folder, "build.json"), `${JSON.stringify(identity)}\n`);
}

function checkedOutCommit() {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}

const [, script, folder = ".", commit] = process.argv;
if (script === fileURLToPath(import.meta.url)) {
  writeBuildIdentity(folder, commit === "" ? undefined : commit);
}
