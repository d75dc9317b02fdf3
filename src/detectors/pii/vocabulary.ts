const vocabulary =
  /^(?:https?:\/\/)?(?:(?:www\.w3|json-schema|schema|purl|loinc|www\.sitemaps)\.org|(?:schemas|xmlns)\.[\w.-]+|xmlns\.com|snomed\.info|(?:terminology\.)?hl7\.org|maven\.apache\.org\/(?:POM|xsd))(?:[/#]|$)/i;

/**
 * Whether an address is the name of a vocabulary: a tool's `$schema`, an `xmlns`, a FHIR `system`. Such an
 * address says nothing about a person, and a parser accepts no other in its place.
 */
export function isVocabulary(url: string): boolean {
  return vocabulary.test(url);
}
