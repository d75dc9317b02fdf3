import { existsSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exportMsMax, exportPlacesAtOnce, exportsMax } from "../../../src/contract/limits.ts";
import { accept } from "../../../src/contract/outcome.ts";
import { ExportJobs, type ExportJobsOptions } from "../../../src/endpoints/records/export-jobs.ts";
import { codeOf, temporaryDirectory, valueOf } from "../../store/temporary-store.ts";

/** Jobs over a read model that answers when it is told to. */
function jobsOver(directory = temporaryDirectory(), size = 4 * exportPlacesAtOnce) {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const waiting: (() => void)[] = [];
  const readModel = {
    ask: async (question: { readonly kind: string }) => {
      if (question.kind === "count") return accept(size);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return accept({ rows: exportPlacesAtOnce, bytes: 10 });
    },
  } as ExportJobsOptions["readModel"];
  const jobs = new ExportJobs({
    directory,
    readModel,
    auditLog: { caughtUp: () => Promise.resolve(), size },
    onFailure: (error) => {
      throw error;
    },
    wallMs: () => nowMs,
  });
  onTestFinished(async () => {
    const closed = jobs.close();
    for (let step = 0; step < 10; step += 1) await letOn();
    await closed;
  });
  const letOn = async (): Promise<void> => {
    waiting.shift()?.();
    await new Promise(setImmediate);
  };
  return { jobs, directory, letOn, pass: (ms: number) => (nowMs += ms) };
}

test("progress is shown, and what is cancelled stops and leaves no file", async () => {
  const { jobs, directory, letOn } = jobsOver();
  const { id } = valueOf(jobs.create(null, {}));
  await letOn();
  await letOn();
  const shown = valueOf(jobs.get(null, id));
  expect(shown).toMatchObject({ status: "running", rowsTotal: 4 * exportPlacesAtOnce });
  expect(shown.rowsDone).toBe(exportPlacesAtOnce);
  valueOf(jobs.remove(null, id));
  for (let step = 0; step < 4; step += 1) await letOn();
  expect(valueOf(jobs.get(null, id)).status).toBe("cancelled");
  expect(existsSync(join(directory, "exports", `${id}.csv`))).toBe(false);
});

test("there are no more than so many, and they end after a day", async () => {
  const { jobs, letOn, pass } = jobsOver(undefined, 0);
  const first = valueOf(jobs.create("org_1", {}));
  for (let i = 1; i < exportsMax; i += 1) valueOf(jobs.create(null, {}));
  expect(codeOf(jobs.create(null, {}))).toBe("records_unavailable");
  for (let step = 0; step < 3 * exportsMax; step += 1) await letOn();
  expect(jobs.list("org_1")).toMatchObject([{ id: first.id, status: "completed" }]);
  pass(exportMsMax);
  valueOf(jobs.create(null, {}));
  expect(jobs.list(null)).toHaveLength(1);
});

test("what a crash has left unfinished is removed", () => {
  const directory = temporaryDirectory();
  const path = join(directory, "exports", `${"a".repeat(32)}.csv`);
  mkdirSync(join(directory, "exports"));
  writeFileSync(path, "half");
  expect(jobsOver(directory).jobs.list(null)).toEqual([]);
  expect(existsSync(path)).toBe(false);
});
