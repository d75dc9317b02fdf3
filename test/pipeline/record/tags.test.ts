import { expect, test } from "vitest";
import { tagsMax } from "../../../src/contract/limits.ts";
import { tagsOf } from "../../../src/pipeline/record/tags.ts";

const many = (count: number) => Array.from({ length: count }, (_, i) => `t${i}=v`).join(",");
const long = "x".repeat(65);

test.each<[string, object | null]>([
  ["app=web", { app: "web" }],
  [" app = web ", null],
  ["app=web, run=7 a", { app: "web", run: "7 a" }],
  ["app=a=b", { app: "a=b" }],
  ["app=first,app=second", { app: "first" }],
  ["=web,app=,app", null],
  ["a:b=web", null],
  [`app=${long},b=c`, { b: "c" }],
  [`${long}=a`, null],
  ["app=\u00fc", null],
  ["", null],
])("%j", (text, tags) => {
  expect(tagsOf(["host", "h", "x-svc-tags", text])).toEqual(tags);
});

test("one too many is left out", () => {
  expect(Object.keys(tagsOf(["x-svc-tags", many(tagsMax + 1)]) ?? {})).toHaveLength(tagsMax);
});

test("most requests have none", () => {
  expect(tagsOf(["host", "h"])).toBeNull();
});

test("no name is special", () => {
  expect(JSON.stringify(tagsOf(["x-svc-tags", "__proto__=a"]))).toBe('{"__proto__":"a"}');
});
