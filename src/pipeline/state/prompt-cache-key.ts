import { createHash } from "node:crypto";
import type { Edit } from "../../json/splice.ts";
import { decodeString, encodeString } from "../../json/string.ts";
import { member, type InspectedBody } from "../body/inspect.ts";

/**
 * The edit that makes `prompt_cache_key` the organization's own. Requests with the same key are routed to the
 * same cache, so with another organization's key a caller could tell from the speed what that one has sent.
 * The key is hashed with the organization, because providers allow 64 characters at most.
 */
export function promptCacheKeyEdits(body: InspectedBody, orgId: string): readonly Edit[] {
  const found = member(body.topLevel, "prompt_cache_key");
  if (found === undefined || found.type !== "string") return none;
  const { valueStart: start, valueEnd: end } = found;
  const key = decodeString(body.bytes, start + 1, end - 1);
  const digest = createHash("sha256")
    .update(JSON.stringify([orgId, key]))
    .digest("hex");
  return [{ start, end, replacement: encodeString(`org_${digest.slice(0, 32)}`) }];
}

const none: readonly Edit[] = [];
