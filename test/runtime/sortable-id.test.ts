import { expect, it } from "vitest";
import { sortableId } from "../../src/runtime/sortable-id.ts";

it("sorts by age, within a millisecond too", () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => sortableId("key", 5 + Math.floor(i / 5000)));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^key_00000000000[56][0-9a-f]{20}$/);
});

it("does not repeat itself when the clock is set back", () => {
  const ids = [7, 6, 7, 6].map((wallMs) => sortableId("org", wallMs));
  expect(new Set(ids).size).toBe(4);
});
