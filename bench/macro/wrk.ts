import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import type { Children } from "./children.ts";
import { uniqueDigits, uniqueMark, type Target } from "./generator/request.ts";
import { reapedCpuMs } from "./process-tree.ts";

export const wrkHint =
  "wrk is not installed (Debian: apt-get install wrk); own generator in its place";

export function wrkIsInstalled(): boolean {
  // wrk has no option that exits with 0.
  return spawnSync("wrk", ["-v"]).error === undefined;
}

/** wrk's counts. It can't check answers, but it knows their statuses and bytes. */
export interface WrkResult {
  readonly answered: number;
  readonly failed: number;
  /** The bytes of heads and bodies. */
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of wrk itself. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

const summaryMark = "weir-bench ";

/** Longer than any load; wrk is stopped before this. */
const secondsMax = 60;

/** Runs a closed loop with wrk, in one thread, until `enough` resolves. */
export async function runWrk(
  children: Children,
  target: Target,
  body: string,
  connections: number,
  enough: () => Promise<void>,
): Promise<WrkResult> {
  const script = join(children.folder, "load.lua");
  writeFileSync(script, luaScript(target, body));
  const cpuBefore = reapedCpuMs(readFileSync("/proc/self/stat", "utf8"));
  const begunMs = performance.now();
  const args = ["-t1", `-c${connections}`, `-d${secondsMax}s`, `-s${script}`, "--timeout", "20s"];
  const child = children.spawn("wrk", [...args, `http://127.0.0.1:${target.port}${target.path}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout?.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const closed = once(child, "close");
  await Promise.race([enough(), closed]);
  // wrk takes only whole seconds, so a signal ends it. It reports its counts on a signal too.
  child.kill("SIGINT");
  await closed;
  const cpuMs = reapedCpuMs(readFileSync("/proc/self/stat", "utf8")) - cpuBefore;
  return { ...readSummary(output), cpuMs, wallMs: performance.now() - begunMs };
}

/** The line that the script's `done` prints. Throws where it is missing. */
export function readSummary(output: string): Omit<WrkResult, "cpuMs" | "wallMs"> {
  const line = output.split("\n").find((each) => each.startsWith(summaryMark));
  if (line === undefined) throw new Error(`wrk ended without a summary: ${output}`);
  const [answered = NaN, bytes = NaN, bad = NaN, broken = NaN, p50Us = NaN, p99Us = NaN] = line
    .slice(summaryMark.length)
    .split(" ")
    .map(Number);
  return {
    // wrk also counts answers with other statuses.
    answered: answered - bad,
    failed: bad + broken,
    bytes,
    p50Ms: p50Us / 1_000,
    p99Ms: p99Us / 1_000,
  };
}

/** Builds its request once if all are the same; otherwise it builds one each time. */
export function luaScript({ path, headers }: Target, body: string): string {
  const [before = "", after] = body.split(uniqueMark);
  const lines = [
    'wrk.method = "POST"',
    'wrk.headers["Content-Type"] = "application/json"',
    ...Object.entries(headers).map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`),
  ];
  if (after === undefined) lines.push(`wrk.body = ${lua(body)}`);
  else {
    lines.push(
      `local before, after, count = ${lua(before)}, ${lua(after)}, 0`,
      "math.randomseed(os.time() + math.floor(os.clock() * 1e6))",
      'local series = string.format("%06d", math.random(0, 999999))',
      "request = function()",
      "  count = count + 1",
      `  local number = series .. string.format("%0${uniqueDigits - 6}d", count)`,
      `  return wrk.format("POST", ${lua(path)}, nil, before .. number .. after)`,
      "end",
    );
  }
  lines.push(
    "done = function(summary, latency)",
    "  local e = summary.errors",
    `  io.write(string.format("${summaryMark}%d %d %d %d %d %d\\n", summary.requests, summary.bytes,`,
    "    e.status, e.connect + e.read + e.write + e.timeout,",
    "    latency:percentile(50), latency:percentile(99)))",
    "end",
  );
  return `${lines.join("\n")}\n`;
}

/** A JSON string is a Lua string if it has neither \\u nor \\/, and the bench's bodies have none. */
function lua(text: string): string {
  return JSON.stringify(text);
}
