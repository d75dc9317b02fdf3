// Writes docs/openapi.json, which the lint reads, from the schemas that the gateway validates with:
// `node scripts/generate-openapi.ts`. A test compares the two.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../src/openapi/document.ts";

export const openApiPath = fileURLToPath(new URL("../docs/openapi.json", import.meta.url));

/** The published file's text. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(openApiPath, openApiText());
}
