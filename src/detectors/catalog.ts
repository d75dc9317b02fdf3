import { credentialDetectors } from "./credentials/catalog.ts";
import type { EntityDetector } from "./entity.ts";
import { phiDetectors } from "./phi/catalog.ts";
import { piiDetectors } from "./pii/catalog.ts";

/** Every entity detector of the scan; names and places are found by names/. */
export const entityDetectors: readonly EntityDetector[] = [
  ...credentialDetectors,
  ...piiDetectors,
  ...phiDetectors,
];

/** What a kind of entity is called. */
export type EntityKind = Pick<EntityDetector, "entityType" | "label" | "category" | "description">;

/** What names/ finds. */
const names: readonly EntityKind[] = [
  {
    entityType: "PERSON",
    label: "PERSON",
    category: "pii",
    description: "The name of a person.",
  },
  {
    entityType: "LOCATION",
    label: "LOCATION",
    category: "pii",
    description: "The name of a place: a city, a region, a country, a street.",
  },
  {
    entityType: "ORGANIZATION",
    label: "ORGANIZATION",
    category: "pii",
    description: "The name of a company, an authority or another organization.",
  },
];

/**
 * Every kind of entity and its label once, by category and name. If several detectors find the same
 * kind, its description joins all of theirs, because a single one would suggest that nothing else is
 * found.
 */
export const entityCatalog: readonly EntityKind[] = kindsOf([...entityDetectors, ...names]).sort(
  (a, b) => compare(keyOf(a), keyOf(b)),
);

function kindsOf(detectors: readonly EntityKind[]): EntityKind[] {
  return [...Map.groupBy(detectors, keyOf).values()].flatMap((alike) => {
    const descriptions = new Set(alike.map(({ description }) => description));
    return alike.slice(0, 1).map((kind) => ({ ...kind, description: [...descriptions].join(" ") }));
  });
}

function keyOf({ category, entityType, label }: EntityKind): string {
  return `${category} ${entityType} ${label}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
