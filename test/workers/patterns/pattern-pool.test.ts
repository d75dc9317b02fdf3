import { expect, onTestFinished, test } from "vitest";
import { nothingToSearch } from "../../../src/endpoints/batch/submission.ts";
import { PatternPool } from "../../../src/workers/patterns/pattern-pool.ts";
import { codeOf } from "../../store/temporary-store.ts";

test("a task that fails is told, and refuses its scan alone", async () => {
  const failures: Error[] = [];
  const pool = new PatternPool((error) => failures.push(error));
  onTestFinished(() => pool.close());
  // A function can't be handed to a thread.
  const failed = await pool.search(nothingToSearch, () => null);
  expect(codeOf(failed)).toBe("detector_unavailable");
  expect(failures.map(({ name }) => name)).toEqual(["DataCloneError"]);
  const pattern = { name: "p", regex: "a", direction: "both", action: "flag" };
  expect(codeOf(await pool.search(nothingToSearch, [pattern]))).toBe("accepted");
  expect(failures).toHaveLength(1);
});
