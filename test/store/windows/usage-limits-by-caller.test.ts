import { expect, test } from "vitest";
import type { UsageLimit } from "../../../src/contract/usage-limit.ts";
import { LimitsByCaller } from "../../../src/store/windows/usage-limits-by-caller.ts";

const orgId = "org_1";

function limit(id: string, apiKeyId: string | null, more: Partial<UsageLimit> = {}): UsageLimit {
  return {
    id,
    orgId,
    name: id,
    limitType: "tokens",
    threshold: "100",
    timeWindow: "1 day",
    apiKeyId,
    enabled: true,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    ...more,
  };
}

function loaded(...limits: readonly UsageLimit[]): LimitsByCaller {
  const byCaller = new LimitsByCaller();
  byCaller.loaded(limits);
  return byCaller;
}

function idsFor(limits: LimitsByCaller, apiKeyId: string): readonly string[] {
  return limits.forCaller(orgId, apiKeyId).map(({ id }) => id);
}

test("the organization's limits come before the key's own, each oldest first", () => {
  const limits = loaded(limit("4", "a"), limit("3", null), limit("2", "a"), limit("1", null));
  expect(idsFor(limits, "a")).toEqual(["1", "3", "2", "4"]);
  expect(idsFor(limits, "b")).toEqual(["1", "3"]);
  expect(limits.forCaller("org_2", "a")).toEqual([]);
});

test("a key's limit changes nothing for other keys, however many have their own", () => {
  const limits = loaded(limit("1", null), limit("2", "a"), limit("3", "b"));
  const [ofA, ofB] = [limits.forCaller(orgId, "a"), limits.forCaller(orgId, "b")];
  limits.changed(limit("2", "a", { threshold: "5" }), limit("2", "a"));
  limits.changed(limit("4", "c"), undefined);
  expect(limits.forCaller(orgId, "b")).toBe(ofB);
  expect(limits.forCaller(orgId, "a")).not.toBe(ofA);
  expect(idsFor(limits, "c")).toEqual(["1", "4"]);
});

test("a limit of the organization changes what every key has", () => {
  const limits = loaded(limit("1", null), limit("2", "a"));
  expect(idsFor(limits, "a")).toEqual(["1", "2"]);
  limits.changed(limit("1", null, { enabled: false }), limit("1", null));
  expect([idsFor(limits, "a"), idsFor(limits, "b")]).toEqual([["2"], []]);
  limits.changed(limit("3", null), undefined);
  expect([idsFor(limits, "a"), idsFor(limits, "b")]).toEqual([["3", "2"], ["3"]]);
});

test("a limit may go to another key, and to the organization", () => {
  const limits = loaded(limit("1", "a"));
  limits.changed(limit("1", "b"), limit("1", "a"));
  expect([idsFor(limits, "a"), idsFor(limits, "b")]).toEqual([[], ["1"]]);
  limits.changed(limit("1", null), limit("1", "b"));
  expect([idsFor(limits, "a"), idsFor(limits, "b")]).toEqual([["1"], ["1"]]);
  limits.changed(undefined, limit("1", null));
  expect([idsFor(limits, "a"), idsFor(limits, "b")]).toEqual([[], []]);
});

test("disabled limits are counted in their scope and checked for nobody", () => {
  const limits = loaded(limit("1", "a"), limit("2", "a", { enabled: false }), limit("3", null));
  expect(idsFor(limits, "a")).toEqual(["3", "1"]);
  expect(limits.countInScope(orgId, "a", "1")).toBe(1);
  expect(limits.countInScope(orgId, "a", "other")).toBe(2);
  expect(limits.countInScope(orgId, null, "other")).toBe(1);
});
