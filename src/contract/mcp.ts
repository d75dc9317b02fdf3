import { Type, type Static } from "typebox";
import { members } from "./documented-schema.ts";
import { ErrorEnvelope } from "./error-schema.ts";
import { ScanOptions, scanInput, scanProviderRequest } from "./scan-request.ts";
import { ScanResponse } from "./scan-response.ts";

/** The revision without a handshake: every request carries its version and capabilities. */
export const mcpStatelessRevision = "2026-07-28";
/** Revisions that begin with `initialize`, newest first. */
export const mcpHandshakeRevisions = ["2025-11-25", "2025-06-18"] as const;

/** The one tool (spec: MCP rules). */
export const mcpToolName = "security_scan";

/** A message of a client (spec: MCP resources). A notification has no `id`. */
export const McpRequest = Type.Object(
  {
    jsonrpc: Type.Literal("2.0", { description: "The version of JSON-RPC." }),
    id: Type.Optional(
      Type.Union([Type.String(), Type.Integer()], {
        description: "Names the request in its response. Absent in a notification.",
      }),
    ),
    method: Type.String({
      description:
        "`initialize`, `ping`, `tools/list`, `tools/call`, `server/discover` or `notifications/…`.",
      examples: ["tools/call"],
    }),
    params: Type.Optional(
      Type.Object({}, { description: "What the method takes.", additionalProperties: true }),
    ),
  },
  { description: "A JSON-RPC request or notification of the Model Context Protocol." },
);
export type McpRequest = Static<typeof McpRequest>;

export const McpError = Type.Object(
  {
    code: Type.Integer({ description: "JSON-RPC's code, or one of the protocol's own." }),
    message: Type.String({ description: "Prose." }),
    data: Type.Optional(Type.Unknown({ description: "More about it." })),
  },
  { description: "Why a message was not served. A scan that failed is a result instead." },
);

/** spec: MCP resources. */
export const McpResponse = Type.Object(
  {
    jsonrpc: Type.Literal("2.0", { description: "The version of JSON-RPC." }),
    id: Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description: "The request's; null where it could not be read.",
    }),
    result: Type.Optional(Type.Unknown({ description: "What the method answers." })),
    error: Type.Optional(McpError),
  },
  { description: "A JSON-RPC response of the Model Context Protocol." },
);
export type McpResponse = Static<typeof McpResponse>;

const includeRedactedText = Type.Boolean({
  description: "Whether the result has the member `redacted_text`.",
  errorMessage: "true or false",
  default: false,
});

const { input } = scanInput;
const { request, request_format } = scanProviderRequest;

/**
 * The published arguments of the tool. Model providers accept no union at the root, so the schema does not say
 * which of the two targets is present. The reader of scan requests checks that.
 */
export const SecurityScanArguments = members(
  {
    input: Type.Optional(input),
    request: Type.Optional(request),
    request_format: Type.Optional(request_format),
    ...ScanOptions,
    include_redacted_text: Type.Optional(includeRedactedText),
  },
  { description: "One target: `input`, or `request` with `request_format`." },
);

const { redacted_text, ...findings } = ScanResponse.properties;

/** The result of a call of the tool: a scan response, or the envelope of the error. */
export const SecurityScanResult = {
  type: "object",
  description: "What was found, or why the scan failed.",
  properties: { ...findings, redacted_text, error: ErrorEnvelope.properties.error },
  anyOf: [{ required: Object.keys(findings) }, { required: ["error"] }],
} as const;
