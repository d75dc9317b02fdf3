// One and two proxy threads side by side, rounds interleaved: `npm run bench:threads [-- --rounds N]`.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runMacro } from "./macro/main.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const program = join(import.meta.dirname, "../dist/main.js");
const folder = mkdtempSync(join(tmpdir(), "weir-threads-"));

/**
 * Makes a program that starts Weir with this many proxy threads, because the macro part starts
 * programs.
 */
function withThreads(threads: number): string {
  const file = join(folder, `${threads}.mjs`);
  const env = `{ ...process.env, GATEWAY_PROXY_THREADS: "${threads}" }`;
  const args = JSON.stringify([process.execPath, program]);
  writeFileSync(file, `process.execve(process.execPath, ${args}, ${env});\n`);
  return file;
}

try {
  const figures = await runMacro({
    quick: false,
    only: ["macro/json"],
    rounds: Number(values.rounds),
    withPeers: false,
    programs: [withThreads(1), withThreads(2)],
    progress: (what) => console.error(what),
  });
  // "weir" has one thread, "weir 2" two.
  for (const figure of figures) console.log(JSON.stringify(figure));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
