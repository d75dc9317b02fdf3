import { mcpToolName, SecurityScanArguments, SecurityScanResult } from "../../contract/mcp.ts";

/** The tool as `tools/list` publishes it. */
export const securityScanTool = {
  name: mcpToolName,
  title: "Security scan",
  description:
    'Checks text for prompt injection, personal data (pii), health data (phi) and credentials before you act on it: web pages, documents, tool results, user messages. Send `input` (a string, or a list of {type: "text", text} parts), or `request` with `request_format` for a whole provider request. Set `segment` to "tool" for what a tool or a web page returned. The answer is advice: `injection.verdict` is allow, flag or block; `detections` say what was found and where, never the text itself. Each call is billed.',
  inputSchema: published(SecurityScanArguments),
  outputSchema: published(SecurityScanResult),
  annotations: {
    title: "Security scan",
    readOnlyHint: true,
    destructiveHint: false,
    openWorldHint: false,
  },
} as const;

/** The schema without the parts that only our own messages need. */
function published(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(published);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== "errorMessage")
      .map(([key, value]) => [key, published(value)] as const),
  );
}
