import { envelope, errorRules, type ErrorCode, type Refusal } from "../../contract/errors.ts";
import {
  header,
  type Answer,
  type FlatHeaders,
  type RequestHead,
} from "../../exchange/exchange.ts";

/** A request's id; null if none could be read. */
export type RpcId = string | number | null;

/** Codes of JSON-RPC 2.0 and, below -32000, of the Model Context Protocol. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedProtocolVersion: -32022,
} as const;

/** A message that is not served. */
export interface RpcFault {
  readonly code: (typeof rpcCodes)[keyof typeof rpcCodes];
  /** Prose; never quotes submitted text. */
  readonly message: string;
  readonly data?: object;
  /** 200 if the error is the answer of a method that the handshake's revisions define. */
  readonly httpStatus: 200 | 400 | 404;
}

/** The error code for such a fault in the gateway's own records and headers. */
export const faultErrorCode: ErrorCode = "invalid_request";

export function faultAnswer(head: RequestHead, id: RpcId, fault: RpcFault): Answer {
  const { code, message, data, httpStatus } = fault;
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  const json = JSON.stringify({ jsonrpc: "2.0", id, error });
  if (httpStatus === 200) return resultAnswer(head, json, []);
  return {
    status: httpStatus,
    headers: [
      "Content-Type",
      "application/json",
      "X-Svc-Error-Source",
      errorRules[faultErrorCode].source,
    ],
    body: json,
  };
}

/** A method's answer, as JSON or as one event, as the client prefers. */
export function resultAnswer(head: RequestHead, json: string, more: FlatHeaders): Answer {
  return prefersEvents(header(head.headers, "accept") ?? "")
    ? {
        status: 200,
        headers: ["Content-Type", "text/event-stream", "Cache-Control", "no-store", ...more],
        // One line of data, because a redacted submission keeps the line breaks between its tokens.
        body: `event: message\ndata: ${json.replace(/[\r\n]/g, " ")}\n\n`,
      }
    : { status: 200, headers: ["Content-Type", "application/json", ...more], body: json };
}

/** Clients list both types. JSON is shorter, so only clients that list events alone or first get events. */
function prefersEvents(accept: string): boolean {
  const events = quality(accept, "text/event-stream");
  if (events === 0) return false;
  const json = ["application/json", "application/*", "*/*"]
    .map((type) => quality(accept, type))
    .find((found) => found > 0);
  return json === undefined || events > json;
}

/** The `q` of a listed media type; 0 if it is not listed or not acceptable. */
function quality(accept: string, type: string): number {
  for (const entry of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    if (name !== type) continue;
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    return q === undefined ? 1 : Number(q.slice(2)) || 0;
  }
  return 0;
}

/** The result of a failed tool: the contract's envelope, as text and as structure. */
export function failedToolResult(refusal: Refusal): string {
  return toolResult(envelope(refusal), true);
}

/** `json` is the tool's answer, which is inserted unchanged. */
export function toolResult(json: string, isError: boolean): string {
  const content = JSON.stringify([{ type: "text", text: json }]);
  return `{"content":${content},"structuredContent":${json},"isError":${isError}}`;
}
