const vocabulary =
  /^(?:https?:\/\/)?(?:(?:www\.w3|json-schema|schema|purl|loinc|www\.sitemaps)\.org|(?:schemas|xmlns)\.[\w.-]+|xmlns\.com|snomed\.info|(?:terminology\.)?hl7\.org|maven\.apache\.org\/(?:POM|xsd))(?:[/#]|$)/i;

/**
 * Whether an address is the name of a vocabulary: a tool's `$schema`, an `xmlns`, a FHIR `system`. It leads
 * to nobody, and what reads it takes no other.
 */
export function isVocabulary(url: string): boolean {
  return vocabulary.test(url);
}
