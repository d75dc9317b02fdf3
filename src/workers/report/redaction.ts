import { encodeString } from "../../json/string.ts";
import { splice, type Edit } from "../../json/splice.ts";
import type { EntityMatch } from "../../detectors/entity.ts";
import { redact } from "../../detectors/redact.ts";
import type { Leaf } from "../segment/leaf.ts";

/** Collects the changes of a scan's redacted form; all other bytes stay. */
export class Redaction {
  readonly #edits: Edit[] = [];

  /**
   * `text` is the leaf's text, to which the offsets of `matches` refer.
   * @param holdsArguments a string that is a tool call's arguments: JSON stays JSON in it.
   */
  add(leaf: Leaf, text: string, matches: readonly EntityMatch[], holdsArguments = false): void {
    if (matches.length === 0) return;
    const { start, end } = leaf;
    if (leaf.form === "serialized") {
      this.#edits.push({ start, end, replacement: Buffer.from(redactJson(text, matches)) });
      return;
    }
    const plain = redact(text, matches);
    const isBroken = holdsArguments && isJson(text) && !isJson(plain);
    const quoted = encodeString(isBroken ? redactJson(text, matches) : plain);
    this.#edits.push({ start, end, replacement: quoted.subarray(1, -1) });
  }

  /** The submission's JSON with labels in place of values; null if nothing was found. */
  apply(bytes: Uint8Array): string | null {
    if (this.#edits.length === 0) return null;
    return Buffer.concat(splice(bytes, this.#edits)).toString("utf8");
  }
}

/**
 * JSON text stays JSON: a label in place of a number becomes a string. If a value was part of the JSON
 * syntax, the label replaces the whole content.
 */
function redactJson(json: string, matches: readonly EntityMatch[]): string {
  const redacted = withLabels(json, matches);
  if (isJson(redacted)) return redacted;
  return JSON.stringify(`<${matches[0]?.detector.label ?? "REDACTED"}>`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function withLabels(json: string, matches: readonly EntityMatch[]): string {
  let redacted = "";
  let from = 0;
  let inString = false;
  for (const { detector, start, end } of matches) {
    const before = json.slice(from, start);
    inString = endsInString(before, inString);
    redacted += before + (inString ? `<${detector.label}>` : `"<${detector.label}>"`);
    inString = endsInString(json.slice(start, end), inString);
    from = end;
  }
  return redacted + json.slice(from);
}

/** Whether a JSON string is open at the end of `json`, given whether one was open at its start. */
function endsInString(json: string, openAtStart: boolean): boolean {
  let open = openAtStart;
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '"') open = !open;
    else if (json[at] === "\\" && open) at++;
  }
  return open;
}
