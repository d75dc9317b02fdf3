import { entityCatalog } from "../../src/detectors/catalog.ts";
import type { EntityMatch } from "../../src/detectors/entity.ts";

/** The labelled data's names for our types. */
const goldTypes: Readonly<Record<string, string>> = {
  GPE: "LOCATION",
  STREET_ADDRESS: "LOCATION",
  ADDRESS: "LOCATION",
  DOMAIN_NAME: "URL",
  US_MBI: "MEDICARE_BENEFICIARY_ID",
  US_NPI: "NPI",
  // Presidio's name for the number of the Drug Enforcement Administration's certificate.
  MEDICAL_LICENSE: "DEA_NUMBER",
};

/** Our types that are finer than those of the labelled data. */
const finerTypes: Readonly<Record<string, string>> = {
  DATE_OF_BIRTH: "DATE_TIME",
  ADMISSION_DATE: "DATE_TIME",
  DISCHARGE_DATE: "DATE_TIME",
  STREET_ADDRESS: "LOCATION",
  POSTAL_ADDRESS: "LOCATION",
  // The data labels it as part of the address around it.
  ZIP_CODE: "LOCATION",
};

/** Every type that the scan can report, folded as `typeOf` folds it. */
export const ourTypes: ReadonlySet<string> = new Set(
  entityCatalog.map(({ entityType, category }) => fold(entityType, category)),
);

/** The type a finding counts as. */
export function typeOf({ detector }: Pick<EntityMatch, "detector">): string {
  return fold(detector.entityType, detector.category);
}

/** The type that a label stands for; null if the scan has no such type. */
export function goldTypeOf(label: string): string | null {
  const type = goldTypes[label] ?? label;
  return ourTypes.has(type) ? type : null;
}

function fold(entityType: string, category: string): string {
  return category === "credential" ? "CREDENTIAL" : (finerTypes[entityType] ?? entityType);
}
