// `npm run check`: every static check at once. `npm run check:<name>`: one of them.
import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";

/** @type {Readonly<Record<string, readonly (readonly string[])[]>>} */
const checks = {
  // The longest check comes first.
  lint: [["node_modules/eslint/bin/eslint.js", ".", "--max-warnings=0"]],
  types: [
    ["node_modules/typescript/bin/tsc", "-p", "tsconfig.check.json"],
    ["node_modules/typescript/bin/tsc", "-p", "ui/tsconfig.json"],
  ],
  imports: [
    [
      "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
      "src",
      "test",
      "ui/src",
      "--config",
      ".dependency-cruiser.mjs",
    ],
  ],
  format: [["node_modules/prettier/bin/prettier.cjs", "--check", "--log-level=warn", "."]],
  // Checks the cost of a request for the thread that serves it, in counts.
  budget: [["scripts/run.mjs", "build", "bench/way/main.ts", "--budget"]],
  // redocly.yaml has the rules, and turns telemetry off.
  openapi: [["node_modules/@redocly/cli/bin/cli.js", "lint", "docs/openapi.json"]],
  // The first checks the language (instructions, flags, stages), the second good practice.
  docker: [
    ["node_modules/dockerfile-utils/bin/dockerfile-utils", "lint", "Dockerfile"],
    ["node_modules/dockerfilelint/bin/dockerfilelint", "Dockerfile"],
  ],
};
const parallelMax = 2;

/**
 * @param {readonly string[]} args
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function run(args) {
  return new Promise((settle, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => (output += text));
    }
    child.on("error", reject);
    child.on("close", (code) => {
      settle({ ok: code === 0, output });
    });
  });
}

/** @param {string} name */
async function check(name) {
  const startedAt = performance.now();
  let ok = true;
  let output = "";
  for (const args of checks[name] ?? []) {
    const result = await run(args);
    ok &&= result.ok;
    if (!result.ok) output += result.output;
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${ok ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (!ok) console.log(output);
  return ok;
}

const waiting = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(checks);
for (const name of waiting) {
  if (!(name in checks))
    throw new Error(`no check named ${name}: ${Object.keys(checks).join(", ")}`);
}
async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (!(await check(name))) process.exitCode = 1;
  }
}
await Promise.all(Array.from({ length: parallelMax }, work));
