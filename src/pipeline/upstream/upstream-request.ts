import {
  apiPathDefault,
  type ProviderAccount,
  type UpstreamTimeouts,
} from "../../contract/account.ts";
import {
  connectTimeoutMsDefault,
  headersTimeoutMsDefault,
  idleTimeoutMsDefault,
  byokHeadersTimeoutMs,
  responseBytesMaxDefault,
} from "../../contract/limits.ts";
import type { Wire } from "../../contract/wire.ts";
import { memberEdits, splice, type Edit } from "../../json/splice.ts";
import { encodeString } from "../../json/string.ts";
import type { Candidate } from "../routing/accounts.ts";
import type { NamedUpstream, RequestHead, UpstreamCall } from "../../exchange/exchange.ts";
import {
  controlPlaneHeaders,
  forwardedQuery,
  byokHeaders,
  payThroughHeaders,
  payThroughQuery,
} from "../../exchange/forward-headers.ts";
import type { InspectedBody, NamedString } from "../body/inspect.ts";
import type { UsageRequest } from "../money/usage-request.ts";

const timeoutsDefault: UpstreamTimeouts = {
  connect: connectTimeoutMsDefault,
  headers: headersTimeoutMsDefault,
  idle: idleTimeoutMsDefault,
};
const ownKeysTimeouts = { ...timeoutsDefault, headers: byokHeadersTimeoutMs };

/** A pay-through request in the form in which it goes to one account. */
export function accountCall(
  head: RequestHead,
  wire: Wire,
  body: InspectedBody,
  model: NamedString,
  { account, model: served }: Candidate,
  usage: UsageRequest,
): UpstreamCall {
  return {
    origin: account.origin,
    guarded: false,
    method: head.method,
    target: targetOf(head, account, served.id),
    headers: payThroughHeaders(head.headers, account, wire),
    body: splicedBody(body, model, served.id, usage),
    timeoutsMs: account.timeoutsMs,
    responseBytesMax: account.responseBytesMax,
  };
}

/** A request for what an account stores. It has no body. */
export function storedCall(head: RequestHead, account: ProviderAccount): UpstreamCall {
  return {
    origin: account.origin,
    guarded: false,
    method: head.method,
    target: targetOf(head, account, ""),
    headers: payThroughHeaders(head.headers, account, "responses"),
    body: [],
    timeoutsMs: account.timeoutsMs,
    responseBytesMax: account.responseBytesMax,
  };
}

/** Path and query at the account: its own path stands for `/v1`, and its own parameters win. */
function targetOf({ path, query }: RequestHead, account: ProviderAccount, model: string): string {
  const { basePath, apiPath } = account;
  const asked = payThroughQuery(query, account.query);
  if (apiPath === apiPathDefault) return basePath + path + asked;
  const api = apiPath.replaceAll("{model}", encodeURIComponent(model));
  return basePath + api + path.slice(apiPathDefault.length) + asked;
}

/** An own-keys request. Path, query and body go verbatim to the named upstream. */
export function byokCall(
  head: RequestHead,
  upstream: NamedUpstream,
  body: Uint8Array,
): UpstreamCall {
  return {
    origin: upstream.origin,
    guarded: true,
    method: head.method,
    target: upstream.basePath + head.path + forwardedQuery(head.query),
    headers: byokHeaders(head.headers),
    body: body.length === 0 ? [] : [body],
    timeoutsMs: ownKeysTimeouts,
    responseBytesMax: responseBytesMaxDefault,
  };
}

/** A control-plane read. Path and query go verbatim to an address that the operator configured. */
export function controlPlaneCall(head: RequestHead, upstream: NamedUpstream): UpstreamCall {
  return {
    origin: upstream.origin,
    guarded: false,
    method: head.method,
    target: upstream.basePath + head.path + forwardedQuery(head.query),
    headers: controlPlaneHeaders(head.headers),
    body: [],
    timeoutsMs: timeoutsDefault,
    responseBytesMax: responseBytesMaxDefault,
  };
}

/**
 * The body byte for byte, except for the gateway's own members: the provider's name of the model, the routing
 * member `provider`, and the option that asks a stream for its usage (design: Inspect).
 */
function splicedBody(
  body: InspectedBody,
  model: NamedString,
  upstreamModel: string,
  usage: UsageRequest,
): readonly Uint8Array[] {
  const edits: Edit[] = [...usage.edits];
  if (model.value !== upstreamModel) {
    edits.push({
      start: model.member.valueStart,
      end: model.member.valueEnd,
      replacement: encodeString(upstreamModel),
    });
  }
  const removed = body.provider === null ? [] : [body.provider.member];
  if (removed.length + usage.added.length > 0) {
    edits.push(...memberEdits(body.topLevel, removed, usage.added));
  }
  return edits.length === 0 ? [body.bytes] : splice(body.bytes, edits);
}
