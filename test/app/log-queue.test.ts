import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const urlOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** A process that logs as the gateway does, and then runs this code. */
function logging(code: string): ChildProcess {
  const program = `
    import { pino } from ${JSON.stringify(import.meta.resolve("pino"))};
    const { LogQueue } = await import(${urlOf("../../src/app/log-queue.ts")});
    const queue = new LogQueue();
    process.on("exit", () => queue.flushSync());
    const log = pino({ base: null, level: "info" }, queue);
    ${code}`;
  // A thread would take over `--eval`.
  const file = join(mkdtempSync(join(tmpdir(), "weir-log-")), "logging.mjs");
  writeFileSync(file, program);
  return spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "pipe"] });
}

test("every line is written, in its order, before the process ends", async () => {
  const child = logging(
    'for (let i = 0; i < 3_000; i += 1) log.info({ i }, "é"); process.exit(3);',
  );
  if (child.stdout === null) throw new Error("no output");
  const [lines] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect(child.exitCode).toBe(3);
  const numbers = lines.trimEnd().split("\n");
  expect(numbers.map((line) => (JSON.parse(line) as { i: number }).i)).toEqual(
    Array.from({ length: 3_000 }, (_, i) => i),
  );
});

test("lines are written while the process has nothing else to do", async () => {
  const child = logging("log.info('a'); setInterval(() => log.info('b'), 250);");
  try {
    let heard = "";
    child.stdout?.on("data", (chunk: Buffer) => (heard += chunk.toString()));
    await expect.poll(() => heard, { timeout: 20_000 }).toMatch(/"a".*\n(.*"b".*\n){3}/);
  } finally {
    child.kill("SIGKILL");
  }
});

test("an output that nobody reads does not keep the process", async () => {
  const child = logging(
    'for (let i = 0; i < 300; i += 1) log.info("x".repeat(9_000)); process.exit(3);',
  );
  if (child.stderr === null) throw new Error("no output");
  const [told] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(child.exitCode).toBe(3);
  expect(told).toContain("standard output does not take the log");
});
