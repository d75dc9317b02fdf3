import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  contentOrganizationsPerStep,
  contentRowsPerWrite,
} from "../../../../src/contract/limits.ts";
import {
  openContentRoot,
  type ContentRoot,
} from "../../../../src/store/embedded/content/content-root.ts";
import {
  putContent,
  type ContentTables,
} from "../../../../src/store/embedded/content/content-rows.ts";
import { Reaping, type Removed } from "../../../../src/store/embedded/content/reaping.ts";
import { temporaryDirectory } from "../../temporary-store.ts";

const cutoffMs = 1_000;

function openTables(): ContentRoot {
  const tables = openContentRoot(join(temporaryDirectory(), "content.mdb"));
  onTestFinished(() => tables.root.close());
  return tables;
}

function put(tables: ContentRoot, orgId: string, old: number, young: number): void {
  tables.root.transactionSync(() => {
    for (let i = 0; i < old + young; i += 1) {
      const createdAtMs = i < old ? cutoffMs - 1 : cutoffMs;
      putContent(tables, { orgId, requestId: `r-${i}`, createdAtMs, value: Buffer.from("x") });
    }
  });
}

/** Tables that count how often a range of them is looked at. */
function counting(tables: ContentTables): { readonly tables: ContentTables; looks: number } {
  const counted = { tables, looks: 0 };
  const contents = new Proxy(tables.contents, {
    get: (target, name) => {
      if (name === "getKeys") counted.looks += 1;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  counted.tables = { ...tables, contents };
  return counted;
}

function stepsOf(tables: ContentRoot, reaping: Reaping): readonly Removed[] {
  const steps: Removed[] = [];
  do steps.push(tables.root.transactionSync(() => reaping.step()));
  while (steps.at(-1)?.more === true);
  return steps;
}

function left(tables: ContentRoot): readonly string[] {
  return Array.from(tables.contents.getKeys(), ([orgId, , id]) => `${orgId} ${id}`);
}

test("each organization is looked at once, however many rows another one has", () => {
  const tables = openTables();
  const organizations = Array.from({ length: 100 }, (_, i) => `a${100 + i}`);
  for (const orgId of organizations) put(tables, orgId, 0, 1);
  const rows = 5 * contentRowsPerWrite + 3;
  put(tables, "b", rows, 1);
  put(tables, "c", 1, 0);
  const counted = counting(tables);
  const reaping = new Reaping(counted.tables, { beforeMs: cutoffMs, byOrg: new Map() });
  const steps = stepsOf(tables, reaping);
  expect(steps.map((step) => step.rows)).toEqual([
    ...Array.from({ length: 5 }, () => contentRowsPerWrite),
    4,
  ]);
  expect(left(tables)).toEqual([...organizations.map((orgId) => `${orgId} r-0`), `b r-${rows}`]);
  // One look finds an organization and one its rows; each step looks at the last one once more.
  expect(counted.looks).toBeLessThanOrEqual(2 * (organizations.length + 2 + steps.length));
});

test("a step is bounded in organizations too", () => {
  const tables = openTables();
  for (let i = 0; i < contentOrganizationsPerStep + 1; i += 1) put(tables, `org ${i}`, 1, 0);
  const byOrg = new Map([["org 0", cutoffMs - 1]]);
  const reaping = new Reaping(tables, { beforeMs: cutoffMs, byOrg });
  const steps = stepsOf(tables, reaping);
  expect(steps.every(({ rows }) => rows <= contentRowsPerWrite)).toBe(true);
  expect(steps.reduce((sum, { rows }) => sum + rows, 0)).toBe(contentOrganizationsPerStep);
  expect(left(tables)).toEqual(["org 0 r-0"]);
  for (let i = 0; i < contentOrganizationsPerStep + 1; i += 1) put(tables, `org ${i}`, 0, 1);
  const nothing = new Reaping(tables, { beforeMs: cutoffMs - 1, byOrg: new Map() });
  expect(stepsOf(tables, nothing)).toEqual([
    { rows: 0, more: true },
    { rows: 0, more: false },
  ]);
});
