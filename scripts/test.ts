// `npm test [-- PATH …]`, `npm run test:watch`, `npm run test:long [-- --minutes N] [PATH …]`: these run tests
// of test/. All other arguments go to vitest.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const usage = "npm run test:long -- [--minutes N] [vitest's own arguments]";
const root = path.resolve(import.meta.dirname, "..");
const longRunMinutes = 60;

const [mode = "", ...given] = process.argv.slice(2);
const { vitestArgs, minutes } = parse(given);
// A path selects short and long tests. Without a path, the folder rule of test/vitest decides.
const isNarrowed = vitestArgs.some((arg) => !arg.startsWith("-") && existsSync(arg));
// A single file may need no build. If it needs one, it builds by itself.
if (!isNarrowed && mode !== "watch") build();

const env: NodeJS.ProcessEnv = { ...process.env };
if (mode === "long") {
  env["WEIR_TESTS"] = "long";
  env["WEIR_TEST_MINUTES"] = String(minutes);
  env["WEIR_TEST_ENDS_AT_MS"] = String(Date.now() + minutes * 60_000);
} else if (!isNarrowed) {
  env["WEIR_TESTS"] = "short";
}
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const command = mode === "watch" ? "watch" : "run";
const child = spawn(process.execPath, [vitest, command, ...vitestArgs], {
  cwd: root,
  env,
  stdio: "inherit",
});
// A terminal signals the whole process group, so vitest already has the signal. This process only
// waits.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", (code) => (process.exitCode = code ?? 1));

function parse(args: readonly string[]): { vitestArgs: readonly string[]; minutes: number } {
  const vitestArgs: string[] = [];
  let minutes = longRunMinutes;
  for (let i = 0; i < args.length; i += 1) {
    const [name, inline] = (args[i] ?? "").split("=");
    if (mode !== "long" || name !== "--minutes") vitestArgs.push(args[i] ?? "");
    else minutes = Number(inline ?? args[(i += 1)]);
  }
  if (!(minutes > 0)) {
    console.error(`--minutes must be a number above 0: ${usage}`);
    process.exit(2);
  }
  return { vitestArgs, minutes };
}

function build(): void {
  const args = [path.join(root, "scripts/setup.mjs"), "build"];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
