import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { detectorsDoc, detectorsDocPath } from "../../scripts/generate-detectors-doc.ts";
import { entityCatalog } from "../../src/detectors/catalog.ts";

test("docs/detectors.md is what the detectors say", () => {
  expect(readFileSync(detectorsDocPath, "utf8")).toBe(detectorsDoc());
});

test("every kind of entity stands in it once", () => {
  const page = detectorsDoc();
  for (const { entityType, category } of entityCatalog) {
    const rows = page.split("\n").filter((line) => line.startsWith(`| \`${entityType}\` `));
    expect(rows.length, `${category} ${entityType}`).toBeGreaterThanOrEqual(1);
  }
});
