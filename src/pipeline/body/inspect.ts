import { refuse, refuseParameter, type Refusal } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { foldCase } from "../../json/fold-case.ts";
import { JsonScanner, type JsonFault, type Member, type TopLevel } from "../../json/scanner.ts";
import { decodeString } from "../../json/string.ts";
import type { BodyObserver } from "../../exchange/exchange.ts";

/** What the gateway must know of a provider request, and the offsets of these members. */
export interface InspectedBody {
  readonly bytes: Uint8Array;
  readonly topLevel: TopLevel;
  readonly model: NamedString | null;
  /**
   * The routing member `provider`; null if it is absent, or is no string and so not meant for the gateway.
   */
  readonly provider: NamedString | null;
  /** True if `stream` is literally `true`. */
  readonly stream: boolean;
}

export interface NamedString {
  readonly member: Member;
  readonly value: string;
}

/**
 * Members that Weir acts on or scans. Names are compared after unescaping and case-folding. Each member may
 * stand only once, because the provider might read the other one (design: Inspect).
 */
const onlyOnce: ReadonlySet<string> = new Set([
  "audio",
  "background",
  "container",
  "conversation",
  "functions",
  "input",
  "instructions",
  "max_completion_tokens",
  "max_output_tokens",
  "max_tokens",
  "max_tool_calls",
  "messages",
  "model",
  "modalities",
  "n",
  "prediction",
  "previous_response_id",
  "prompt",
  "prompt_cache_key",
  "provider",
  "response_format",
  "service_tier",
  "stream",
  "stream_options",
  "system",
  "thread",
  "tools",
]);

/**
 * Validates a JSON body while it arrives and finds its top-level members. The body itself is never parsed and
 * re-serialized, so the provider gets number spelling, key order and escapes as sent.
 */
export class Inspection implements BodyObserver {
  readonly #scanner = new JsonScanner();

  grown(bytes: Uint8Array, length: number): Refusal | undefined {
    const fault = this.#scanner.grown(bytes, length);
    return fault === undefined ? undefined : notJson(fault);
  }

  /** Errors: `invalid_request` if the body is not JSON, is not an object, or is ambiguous. */
  finish(bytes: Uint8Array): Outcome<InspectedBody> {
    return inspectedBody(bytes, this.#scanner.finish(bytes, bytes.length));
  }
}

/** The inspected body, after its JSON has been scanned. Errors: as `Inspection.finish`. */
export function inspectedBody(
  bytes: Uint8Array,
  topLevel: JsonFault | TopLevel,
): Outcome<InspectedBody> {
  if ("reason" in topLevel) return { ok: false, refusal: notJson(topLevel) };
  if (topLevel.root !== "object") {
    return refuse("invalid_request", "The request body must be a JSON object.");
  }
  const repeated = repeatedMember(topLevel.members);
  if (repeated !== null) {
    return refuseParameter(repeated, `The member "${repeated}" stands more than once.`);
  }
  return accept({
    bytes,
    topLevel,
    model: stringMember(bytes, topLevel, "model"),
    provider: stringMember(bytes, topLevel, "provider"),
    stream: member(topLevel, "stream")?.type === "true",
  });
}

/** A top-level member by its exact name. */
export function member(topLevel: TopLevel, name: string): Member | undefined {
  return topLevel.members.find((candidate) => candidate.name === name);
}

function stringMember(bytes: Uint8Array, topLevel: TopLevel, name: string): NamedString | null {
  const found = member(topLevel, name);
  if (found === undefined || found.type !== "string") return null;
  return {
    member: found,
    value: decodeString(bytes, found.valueStart + 1, found.valueEnd - 1),
  };
}

function repeatedMember(members: readonly Member[]): string | null {
  const seen = new Set<string>();
  for (const { name } of members) {
    const folded = foldCase(name);
    if (!onlyOnce.has(folded)) continue;
    if (seen.has(folded)) return folded;
    seen.add(folded);
  }
  return null;
}

function notJson(fault: JsonFault): Refusal {
  return {
    code: "invalid_request",
    message: `The request body is not valid JSON: ${fault.reason} at byte ${fault.offset}.`,
  };
}
