import type { Outlet } from "./outlet.ts";
import { statusOf, type ProviderError } from "./provider-error.ts";
import type { WireFormat } from "./rendering.ts";
import type { DemoRequest } from "./request.ts";

/** A valid request, and the outlet for its answer. */
export interface DemoExchange extends Reply {
  readonly request: DemoRequest;
  /** The request's header; empty if there is none. */
  readonly acceptEncoding: string;
}

/** Everything that an answer needs, even that to an invalid request. */
export interface Reply {
  readonly format: WireFormat;
  readonly outlet: Outlet;
  readonly requestId: string;
}

/**
 * Answers with an error in the wire's shape. `headers` are flat and are added to the usual ones.
 */
export function sendError(
  reply: Reply,
  error: ProviderError,
  headers: readonly string[] = [],
): void {
  const body = reply.format.errorJson(error, reply.requestId);
  sendJson(reply, statusOf[error.kind], body, headers);
}

/** Answers with a complete JSON body. */
export function sendJson(
  reply: Reply,
  status: number,
  body: string,
  headers: readonly string[] = [],
): void {
  reply.outlet.begin(status, [
    ...["content-type", "application/json", "content-length", String(Buffer.byteLength(body))],
    ...[reply.format.requestIdHeader, reply.requestId],
    ...headers,
  ]);
  reply.outlet.end(body);
}
