import { expect, test } from "vitest";
import { canonicalEvent } from "../../../src/contract/audit.ts";
import { readFilter } from "../../../src/endpoints/audit/filter.ts";
import { passes } from "../../../src/store/embedded/audit/audit-log.ts";
import { valueOf } from "../../store/temporary-store.ts";

const line = canonicalEvent(
  {
    eventType: "request.completed",
    message: "A request was answered.",
    orgId: "org_1",
    requestId: "r-1",
    data: { model: "a", nested: { model: "b", org_id: "org_2", request_id: "r-2" } },
  },
  "2026-01-31T12:00:00.000Z",
);

test.each([
  ["", true],
  ["model=a", true],
  ["model=b", false],
  ["request_id=r-1", true],
  ["request_id=r-2", false],
  ["since=2026-01-31T12:00:00Z", true],
  ["since=2026-01-31T12:00:00.001Z", false],
  ["until=2026-01-31T12:00:00Z", false],
  ["until=2026-01-31T13:00:00.001%2B01:00", true],
  ["until=9999-12-31T23:00:00-05:00", true],
  ["since=0000-01-01T00:00:00%2B05:00", true],
  ["day=2026-01-31", true],
  ["day=2026-01-30", false],
])("%s: %s", (query, expected) => {
  expect(shows(null, query)).toBe(expected);
});

test("an organization's events are those that are its own, not those that name it", () => {
  expect([shows("org_1", ""), shows("org_2", ""), shows("org_3", "")]).toEqual([
    true,
    false,
    false,
  ]);
});

function shows(orgId: string | null, query: string): boolean {
  return passes(line, valueOf(readFilter({ orgId, query: new URLSearchParams(query) })));
}
