import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../store/temporary-store.ts";

const program = path.resolve(import.meta.dirname, "../../scripts/total.mjs");

/** What .ci/run says last, and whether it succeeds. */
function totalOf(files: Readonly<Record<string, unknown>>): Promise<readonly [string, boolean]> {
  const folder = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, folder], (error, stdout) => {
      resolve([stdout.trim(), error === null]);
    });
  });
}

const run = (numPassedTests: number, numFailedTests = 0, testResults: readonly unknown[] = []) => ({
  ...{ numPassedTests, numFailedTests, testResults },
});
const unloaded = { status: "failed", assertionResults: [] };
const ended = { "test.status": 0, "check.status": 0, "test:long.status": 0 };

test.each([
  ["all passed", {}, "9 passed, 0 failed", true],
  ["tests failed", { "test.json": run(6, 2), "test.status": 1 }, "8 passed, 2 failed", false],
  [
    "a file could not be loaded",
    { "test:long.json": run(1, 0, [unloaded]), "test:long.status": 1 },
    "8 passed, 1 failed",
    false,
  ],
  ["a check failed", { "check.status": 1 }, "9 passed, 1 failed", false],
  ["an error came outside of every test", { "test.status": 1 }, "9 passed, 1 failed", false],
])("%s", async (_name, more, line, succeeds) => {
  const files = { ...ended, "test.json": run(7), "test:long.json": run(2), ...more };
  expect(await totalOf(files)).toEqual([line, succeeds]);
});

test("a run that left no report failed", async () => {
  expect(await totalOf({ ...ended, "test.status": 1 })).toEqual(["0 passed, 1 failed", false]);
  expect(await totalOf(ended)).toEqual(["0 passed, 0 failed", false]);
});
