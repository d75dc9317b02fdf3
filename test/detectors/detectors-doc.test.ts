import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { detectorsDoc, detectorsDocPath } from "../../scripts/generate-detectors-doc.ts";
import { entityCatalog, entityDetectors } from "../../src/detectors/catalog.ts";

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

test("a kind that several detectors find is described by all of them", () => {
  const told = (entityType: string) =>
    entityCatalog.find((kind) => kind.entityType === entityType)?.description;
  expect(told("IP_ADDRESS")).toBe(
    "An IPv4 address or network in dotted decimal. An IPv6 address or network, compressed or with a zone. An IPv6 address that ends as an IPv4 address.",
  );
  expect(told("URL")).toContain("A host name without a scheme");
  for (const { id, entityType, label, category, description } of entityDetectors) {
    const kind = entityCatalog.find(
      (each) =>
        each.entityType === entityType && each.label === label && each.category === category,
    );
    expect(kind?.description, id).toContain(description);
  }
});
