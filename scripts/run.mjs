// `node scripts/run.mjs [runtime] [build] FILE [ARGUMENT …]`: makes the clone ready as setup.mjs does,
// then runs a file with the clone's Node. So every npm script works in a bare clone.
import { spawn } from "node:child_process";
import path from "node:path";
import { toolchainDir } from "./setup/paths.mjs";
import { setUp, words } from "./setup/set-up.mjs";

const args = process.argv.slice(2);
const fileAt = args.findIndex((arg) => !words.includes(arg));
if (fileAt === -1) throw new Error("no file to run");

if (await setUp(args.slice(0, fileAt))) run(args.slice(fileAt));
else process.exitCode = 1;

/** @param {readonly string[]} command */
function run(command) {
  const node = path.join(toolchainDir, "bin", "node");
  const child = spawn(node, command, { stdio: "inherit" });
  // A terminal signals its whole process group. The program decides what to do, and this process
  // waits for it.
  process.on("SIGINT", () => {}).on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
