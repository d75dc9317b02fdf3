import { refuse } from "../../contract/errors.ts";
import { tagsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Tags } from "../../contract/request-event.ts";
import { header, type FlatHeaders } from "../../exchange/exchange.ts";

/**
 * The tags of `X-Svc-Tags: name=value, …` (design section 7, Tags); null if there are none. Errors:
 * `invalid_request` for anything that is no tag, a name that stands twice, and one tag too many: a label that
 * is dropped in silence would be missing from somebody's bill.
 */
export function readTags(headers: FlatHeaders): Outcome<Tags | null> {
  if (header(headers, "x-svc-tags") === undefined) return noTags;
  const text = headers.filter((_, i) => i % 2 === 1 && headers[i - 1] === "x-svc-tags").join(",");
  if (text.trim() === "") return noTags;
  const parts = text.split(",", tagsMax + 1);
  if (parts.length > tagsMax) return malformed;
  const tags = new Map<string, string>();
  for (const part of parts) {
    const [, name, value] = tagPattern.exec(part.trim()) ?? [];
    if (name === undefined || value === undefined || tags.has(name)) return malformed;
    tags.set(name, value);
  }
  return accept(Object.fromEntries(tags));
}

/** Printable ASCII; the name has no `:`, so that a filter can be written `name:value`. */
const tagPattern = /^([A-Za-z0-9_.-]{1,64})=([!-+\--~](?:[ -+\--~]{0,62}[!-+\--~])?)$/;

/** Of a request without the header. */
export const noTags = accept<Tags | null>(null);

const malformed = refuse(
  "invalid_request",
  `The header X-Svc-Tags must be at most ${tagsMax} tags such as feature=rag,customer=acme, each name once: names of A-Z, a-z, 0-9, "_", "." and "-", values of printable ASCII without a comma, 64 characters each at most.`,
  { details: { param: "X-Svc-Tags" } },
);
