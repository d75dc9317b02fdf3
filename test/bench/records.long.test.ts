import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../store/temporary-store.ts";

const bench = path.join(import.meta.dirname, "../../bench");

async function run(name: string, ...args: readonly string[]): Promise<string> {
  const program = path.join(bench, name);
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args]);
  return stdout;
}

test(
  "every question on a hundred thousand records is answered, alone and beside load",
  { timeout: 120_000 },
  async () => {
    const folder = path.join(temporaryDirectory(), "store");
    const asked = await run("records.ts", "--rounds", "2", "--keep", folder);
    const questions = asked
      .split("\n")
      .filter((line) => /p50 [\d.]+ ms, p95 [\d.]+ ms$/.test(line));
    expect(questions.length).toBeGreaterThan(12);
    expect(asked).toMatch(/^export +\d+ rows\/s$/m);
    const quick = ["--rounds", "1", "--seconds", "1", "--rate", "50"];
    const loaded = await run("records-load.ts", "--data", folder, ...quick);
    expect(loaded).toMatch(/^[\d.]+ questions\/s while asked$/m);
    expect(loaded).toMatch(/^p99, to the quiet one of the round: /m);
  },
);
