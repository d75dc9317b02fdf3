import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** Files of src/ that the program reads while it runs: dist/ has its code alone. */
const dataFiles = globSync("src/**/*.ts", { cwd: root }).flatMap((file) => {
  const code = readFileSync(path.join(root, file), "utf8");
  return [...code.matchAll(/"(?:\.\.\/)+(src\/[^"]+\.(?:bin|json))"/g)].map(
    ([, data = ""]) => data,
  );
});

test("the image has every file that the program reads beside its code", () => {
  const dockerfile = readFileSync(path.join(root, "Dockerfile"), "utf8");
  const copied = [...dockerfile.matchAll(/^COPY (src\/\S+) \.\/(\S+)\/$/gm)].flatMap(
    ([, from = "", to = ""]) => (path.dirname(from) === to ? [from] : []),
  );
  expect(dataFiles.length).toBeGreaterThan(0);
  expect(copied.toSorted()).toEqual(dataFiles.toSorted());
});
