import { join } from "node:path";
import { open, type RootDatabase } from "lmdb";
import { expect, it, onTestFinished } from "vitest";
import { storeDatabasesMax } from "../../../../src/contract/limits.ts";
import { bringUpToDate, type Migration } from "../../../../src/store/embedded/schema/schema.ts";
import { openTables, type Tables } from "../../../../src/store/embedded/tables.ts";
import { temporaryDirectory } from "../../temporary-store.ts";

function openRaw(): { readonly root: RootDatabase; readonly tables: Tables } {
  const root: RootDatabase = open(join(temporaryDirectory(), "weir.mdb"), {
    maxDbs: storeDatabasesMax,
  });
  onTestFinished(() => root.close());
  return { root, tables: openTables(root) };
}

/** Three versions: each step notes that it ran, in the order of their runs. */
function stepsInto(ran: number[]): readonly Migration[] {
  return [() => ran.push(1), () => ran.push(2)];
}

it.each<[string, number | undefined, number[], number]>([
  ["a new store gets the current version", undefined, [], 3],
  ["the current version stays", 3, [], 3],
  ["one version back takes one step", 2, [2], 3],
  ["two versions back take both, oldest first", 1, [1, 2], 3],
])("%s", (_, before, steps, after) => {
  const { root, tables } = openRaw();
  if (before !== undefined) tables.meta.putSync("schemaVersion", before);
  const ran: number[] = [];
  expect(bringUpToDate(root, tables, stepsInto(ran))).toBeUndefined();
  expect(ran).toEqual(steps);
  expect(tables.meta.get("schemaVersion")).toBe(after);
});

it("a newer version is refused and nothing runs", () => {
  const { root, tables } = openRaw();
  tables.meta.putSync("schemaVersion", 4);
  const ran: number[] = [];
  expect(bringUpToDate(root, tables, stepsInto(ran))).toContain("newer release (schema 4;");
  expect(ran).toEqual([]);
  expect(tables.meta.get("schemaVersion")).toBe(4);
});

it("a step that fails leaves the old version whole", () => {
  const { root, tables } = openRaw();
  tables.meta.putSync("schemaVersion", 1);
  const steps: readonly Migration[] = [
    ({ meta }) => meta.putSync("keysGeneration", 99),
    () => {
      throw new Error("step 2");
    },
  ];
  expect(() => bringUpToDate(root, tables, steps)).toThrow("step 2");
  expect(tables.meta.get("schemaVersion")).toBe(1);
  expect(tables.meta.get("keysGeneration")).toBeUndefined();
});
