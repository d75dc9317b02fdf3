import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const program = `
  import { readdirSync } from "node:fs";
  import { getPriority } from "node:os";
  import { pbkdf2 } from "node:crypto";
  import { standBack } from ${JSON.stringify(join(import.meta.dirname, "../../src/runtime/stand-back.ts"))};
  standBack(10);
  const threads = () => readdirSync("/proc/self/task").map((id) => getPriority(Number(id)));
  // The pool's threads are there once it has worked.
  pbkdf2("a", "b", 1, 8, "sha256", () => console.log(JSON.stringify(threads())));
`;

/** The nice values of all threads of a process that was started with this one. */
function nicenessAfter(start: number): readonly number[] {
  const node = [process.execPath, "--input-type=module", "--eval", program];
  const printed = execFileSync("nice", ["-n", `${start}`, ...node], { encoding: "utf8" });
  return JSON.parse(printed) as readonly number[];
}

describe.skipIf(process.platform !== "linux")("a process that stands back", () => {
  test.each([
    { start: 0, title: "has the value in every thread" },
    { start: 15, title: "keeps a higher value that it was started with" },
  ])("$title", ({ start }) => {
    const threads = nicenessAfter(start);
    expect(threads.length).toBeGreaterThan(4);
    const after = Math.max(10, Math.min(19, getPriority() + start));
    expect(new Set(threads)).toEqual(new Set([after]));
  });
});
