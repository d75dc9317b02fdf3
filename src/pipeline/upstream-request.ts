import type { UpstreamTimeouts } from "../contract/account.ts";
import {
  connectTimeoutMsDefault,
  headersTimeoutMsDefault,
  idleTimeoutMsDefault,
  responseBytesMaxDefault,
} from "../contract/limits.ts";
import type { Wire } from "../contract/wire.ts";
import { memberEdits, splice, type Edit } from "../json/splice.ts";
import { encodeString } from "../json/string.ts";
import type { Candidate } from "./accounts.ts";
import type { RequestHead, UpstreamCall } from "./exchange.ts";
import { forwardedQuery, ownKeysHeaders, payThroughHeaders } from "./forward-headers.ts";
import type { InspectedBody, NamedString } from "./inspect.ts";

/** A caller-named upstream that passed the network policy. */
export interface NamedUpstream {
  readonly origin: string;
  readonly basePath: string;
}

const ownKeysTimeouts: UpstreamTimeouts = {
  connect: connectTimeoutMsDefault,
  headers: headersTimeoutMsDefault,
  idle: idleTimeoutMsDefault,
};

/** A pay-through request as it goes to one account. */
export function accountCall(
  head: RequestHead,
  wire: Wire,
  body: InspectedBody,
  model: NamedString,
  { account, model: served }: Candidate,
): UpstreamCall {
  return {
    origin: account.origin,
    guarded: false,
    method: head.method,
    target: account.basePath + head.path + forwardedQuery(head.query),
    headers: payThroughHeaders(head.headers, account, wire),
    body: splicedBody(body, model, served.id),
    timeoutsMs: account.timeoutsMs,
    responseBytesMax: account.responseBytesMax,
  };
}

/** An own-keys request: path, query and body verbatim onto the named upstream. */
export function ownKeysCall(
  head: RequestHead,
  upstream: NamedUpstream,
  body: Uint8Array,
): UpstreamCall {
  return {
    origin: upstream.origin,
    guarded: true,
    method: head.method,
    target: upstream.basePath + head.path + forwardedQuery(head.query),
    headers: ownKeysHeaders(head.headers),
    body: body.length === 0 ? [] : [body],
    timeoutsMs: ownKeysTimeouts,
    responseBytesMax: responseBytesMaxDefault,
  };
}

/**
 * The body byte for byte, but for the members that are the gateway's own: the provider's name of
 * the model, and the routing member `provider` (design: Inspect).
 */
function splicedBody(
  body: InspectedBody,
  model: NamedString,
  upstreamModel: string,
): readonly Uint8Array[] {
  const edits: Edit[] = [];
  if (model.value !== upstreamModel) {
    edits.push({
      start: model.member.valueStart,
      end: model.member.valueEnd,
      replacement: encodeString(upstreamModel),
    });
  }
  if (body.provider !== null) {
    edits.push(...memberEdits(body.topLevel, [body.provider.member], []));
  }
  return edits.length === 0 ? [body.bytes] : splice(body.bytes, edits);
}
