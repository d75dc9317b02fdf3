import { mcpHandshakeRevisions, mcpStatelessRevision } from "../../contract/mcp.ts";
import { header, type FlatHeaders } from "../../exchange/exchange.ts";
import type { RpcMessage } from "./message.ts";
import { rpcCodes, type RpcFault } from "./rpc-answer.ts";

/** The protocol by which a message is served. */
export type Revision =
  /** `initialize` first, then the version in a header. A client without that header is an old one. */
  | { readonly kind: "handshake"; readonly version: string | undefined }
  /** The message contains everything, and earlier messages don't matter. */
  | { readonly kind: "stateless" };

export type ReadRevision =
  | { readonly ok: true; readonly revision: Revision }
  | { readonly ok: false; readonly fault: RpcFault };

const versionKey = "io.modelcontextprotocol/protocolVersion";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/**
 * The revision of a message, after the checks that the revision demands. The body decides. The headers must
 * agree with it, because proxies on the way route by them.
 */
export function readRevision(message: RpcMessage, headers: FlatHeaders): ReadRevision {
  const version = trimmed(header(headers, "mcp-protocol-version"));
  const claim = message.params.meta?.[versionKey];
  if (claim === undefined && !isStateless(version)) return handshake(message, version);
  // A notification has no capabilities to report, and only the header may name its version.
  if (message.id === undefined) return { ok: true, revision: { kind: "stateless" } };
  if (typeof claim !== "string") return missing(versionKey);
  const capabilities = message.params.meta?.[capabilitiesKey];
  if (typeof capabilities !== "object" || capabilities === null) return missing(capabilitiesKey);
  if (version !== claim) {
    return mismatch("MCP-Protocol-Version must be there and name the version of the message.");
  }
  if (claim !== mcpStatelessRevision) return unsupported(claim, [mcpStatelessRevision]);
  const headerFault = standardHeaderFault(message, headers);
  if (headerFault !== undefined) return mismatch(headerFault);
  return { ok: true, revision: { kind: "stateless" } };
}

function handshake(message: RpcMessage, version: string | undefined): ReadRevision {
  const served: readonly string[] = mcpHandshakeRevisions;
  // Before the end of the handshake, a client knows no version to name.
  if (version !== undefined && message.method !== "initialize" && !served.includes(version)) {
    return unsupported(version, [mcpStatelessRevision, ...served]);
  }
  return { ok: true, revision: { kind: "handshake", version } };
}

function isStateless(version: string | undefined): boolean {
  return (
    version !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= mcpStatelessRevision
  );
}

/** undefined if the headers agree with the message. */
function standardHeaderFault({ method, params }: RpcMessage, headers: FlatHeaders) {
  if (trimmed(header(headers, "mcp-method")) !== method) {
    return "Mcp-Method must be there and name the method of the message.";
  }
  if (method !== "tools/call" || params.name === undefined) return undefined;
  return decoded(trimmed(header(headers, "mcp-name"))) === params.name
    ? undefined
    : "Mcp-Name must be there and name the tool of the message.";
}

/** A value that can't stand in a header is written as `=?base64?…?=`. */
function decoded(value: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? "") ?? [];
  return base64 === undefined ? value : Buffer.from(base64, "base64").toString("utf8");
}

function trimmed(value: string | undefined): string | undefined {
  return value?.trim();
}

function missing(key: string): ReadRevision {
  const message = `The request must carry "${key}" in params._meta.`;
  return { ok: false, fault: { code: rpcCodes.invalidParams, message, httpStatus: 400 } };
}

function mismatch(message: string): ReadRevision {
  return { ok: false, fault: { code: rpcCodes.headerMismatch, message, httpStatus: 400 } };
}

function unsupported(requested: string, supported: readonly string[]): ReadRevision {
  return {
    ok: false,
    fault: {
      code: rpcCodes.unsupportedProtocolVersion,
      message: "This protocol version is not served.",
      data: { supported, requested: requested.slice(0, versionCharsMax) },
      httpStatus: 400,
    },
  };
}

/** A version is a date. */
const versionCharsMax = 32;
