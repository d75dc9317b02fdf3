import { expect, test } from "vitest";
import { tagsMax } from "../../../src/contract/limits.ts";
import { readTags } from "../../../src/pipeline/record/tags.ts";

const many = (count: number) => Array.from({ length: count }, (_, i) => `t${i}=v`).join(",");
const long = "x".repeat(64);

test.each<[string, object | null]>([
  ["app=web", { app: "web" }],
  ["feature=rag,customer=acme", { feature: "rag", customer: "acme" }],
  ["app=web, run=7 a", { app: "web", run: "7 a" }],
  ["app=a=b", { app: "a=b" }],
  [`${long}=${long}`, { [long]: long }],
  [
    many(tagsMax),
    Object.fromEntries(
      many(tagsMax)
        .split(",")
        .map((tag) => tag.split("=")),
    ),
  ],
  ["", null],
  [" ", null],
])("%j", (text, tags) => {
  expect(readTags(["host", "h", "x-svc-tags", text])).toEqual({ ok: true, value: tags });
});

test.each([
  "app = web",
  "app=first,app=second",
  "=web",
  "app=",
  "app",
  "app=web,",
  ",app=web",
  "a:b=web",
  `app=${long}x`,
  `${long}x=a`,
  "app=\u00fc",
  "app=a\tb",
  many(tagsMax + 1),
  ",".repeat(16_000),
])("malformed: %j", (text) => {
  const read = readTags(["x-svc-tags", text]);
  expect(read.ok ? null : read.refusal).toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("X-Svc-Tags") as unknown,
    details: { param: "X-Svc-Tags" },
  });
});

test("two header lines are one list", () => {
  const two = ["x-svc-tags", "a=1", "host", "h", "x-svc-tags", "b=2"];
  expect(readTags(two)).toEqual({ ok: true, value: { a: "1", b: "2" } });
  expect(readTags(["x-svc-tags", many(tagsMax), "x-svc-tags", "b=2"]).ok).toBe(false);
});

test("most requests have none", () => {
  expect(readTags(["host", "h"])).toEqual({ ok: true, value: null });
});

test("no name is special", () => {
  const read = readTags(["x-svc-tags", "__proto__=a"]);
  expect(JSON.stringify(read.ok ? read.value : null)).toBe('{"__proto__":"a"}');
});
