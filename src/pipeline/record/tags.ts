import { tagsMax } from "../../contract/limits.ts";
import type { Tags } from "../../contract/request-event.ts";
import { header, type FlatHeaders } from "../../exchange/exchange.ts";

/**
 * The tags of `X-Svc-Tags: name=value, …` (design section 7, Tags). What is no tag, or one too many, is left
 * out, because a request is not refused for its labels. null if there are none.
 */
export function tagsOf(headers: FlatHeaders): Tags | null {
  const text = header(headers, "x-svc-tags");
  if (text === undefined) return null;
  const tags = new Map<string, string>();
  for (const part of text.split(",", 4 * tagsMax)) {
    const [, name, value] = tagPattern.exec(part.trim()) ?? [];
    if (name === undefined || value === undefined || tags.has(name)) continue;
    tags.set(name, value);
    if (tags.size === tagsMax) break;
  }
  return tags.size === 0 ? null : Object.fromEntries(tags);
}

/** Printable ASCII; the name has no `:`, so that a filter can be written `name:value`. */
const tagPattern = /^([A-Za-z0-9_.-]{1,64})=([!-+\--~](?:[ -+\--~]{0,62}[!-+\--~])?)$/;
