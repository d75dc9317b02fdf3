// Writes docs/weir.config.schema.json, which editors read, from the schema that the gateway
// validates with: `node scripts/generate-schema.ts`. A test compares the two.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { ConfigurationFile } from "../src/contract/configuration-file.ts";

export const schemaPath = fileURLToPath(
  new URL("../docs/weir.config.schema.json", import.meta.url),
);

/** The published file's text, formatted as the project formats JSON. */
export async function schemaText(): Promise<string> {
  const schema = { $schema: "http://json-schema.org/draft-07/schema#", ...ConfigurationFile };
  const style = await resolveConfig(schemaPath);
  return format(JSON.stringify(schema), { ...style, filepath: schemaPath, objectWrap: "collapse" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(schemaPath, await schemaText());
}
