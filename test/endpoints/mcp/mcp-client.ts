import type { TestGateway } from "../../support/gateway.ts";

/** A JSON-RPC response, as far as tests look at it. */
export interface RpcResponse {
  readonly jsonrpc: string;
  readonly id: string | number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface ToolResult {
  readonly content: readonly [{ readonly type: string; readonly text: string }];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export async function post(
  gateway: TestGateway,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${gateway.url}/v1/security/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${gateway.key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

export async function rpc(
  gateway: TestGateway,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: RpcResponse }> {
  const response = await post(gateway, message, headers);
  return { status: response.status, body: (await response.json()) as RpcResponse };
}

/** Calls the tool as a client of 2025-11-25 does. */
export async function callTool(gateway: TestGateway, given: unknown): Promise<ToolResult> {
  const params = { name: "security_scan", arguments: given };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const { body } = await rpc(gateway, message, { "mcp-protocol-version": "2025-11-25" });
  if (body.result === undefined) throw new Error(JSON.stringify(body));
  return { ...noResult, ...body.result };
}

const noResult: ToolResult = {
  content: [{ type: "", text: "" }],
  structuredContent: {},
  isError: false,
};

export const statelessMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
