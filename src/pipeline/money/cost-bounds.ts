import type { WorstCaseRequest } from "../../billing/worst-case.ts";
import type { Wire } from "../../contract/wire.ts";
import type { Member, TopLevel } from "../../json/scanner.ts";
import { foldCase } from "../../json/fold-case.ts";
import { decodeString } from "../../json/string.ts";
import { JsonReader } from "../../json/reader.ts";
import {
  keyOf,
  readCacheControl,
  readMessages,
  readParts,
  type ContentTraits,
} from "./cost-bounds-content.ts";
import { readTools, referencedBytes, type ToolTraits } from "./cost-bounds-tools.ts";

/** A request body that has been inspected. */
export interface BodyToBound {
  readonly bytes: Uint8Array;
  readonly topLevel: TopLevel;
}

/** Caps of both wires and of the responses API; where several stand there, the largest counts. */
const outputCaps: ReadonlySet<string> = new Set([
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
]);
/** Beyond it a cap is none: no model writes so much, and sums stay exact. */
const outputCapTokensMax = 1_000_000_000;

/** The largest counts. */
const choiceCounts: ReadonlySet<string> = new Set(["n", "best_of"]);

/** Members that let the provider search, call or fall back on its own, with nothing to bound it. */
const unboundedMembers: ReadonlySet<string> = new Set([
  "fallbacks",
  "mcp_servers",
  "models",
  "plugins",
  "search_parameters",
  "web_search_options",
]);

/**
 * What the worst case of a request depends on, read from its bytes without parsing it: one pass over
 * `messages`, `system` and `tools`. Doubt makes it dearer: a part of unknown type counts as media, a
 * cap that is no whole number from 1 counts as none. Members are told by their names in any case, for
 * some providers read them so; a cap in another case takes away the others, which it may overrule.
 */
export function readWorstCaseRequest(wire: Wire, body: BodyToBound): WorstCaseRequest {
  const found = new Findings(wire, body.bytes);
  for (const member of body.topLevel.members) {
    if (member.type !== "null") found.add(foldCase(member.name), member);
  }
  const { content, tools } = found;
  const toolBytes = found.toolBytesMax();
  return {
    textBytes: body.bytes.length,
    toolBytes,
    messages: content.messages,
    tools: tools.count,
    hasMedia: content.media || content.audio,
    hasAudioInput: content.audio,
    wantsAudioOutput: found.wantsAudioOutput,
    cacheWrites: content.cacheWrites ?? (wire === "chat" ? "automatic" : "none"),
    predictionBytes: found.predictionBytes,
    ...readOutputBounds(body),
    perUseToolCalls: tools.calls,
    hasBilledTools: tools.billed,
    compacts: found.compacts,
    unboundedBy: found.unboundedBy,
    serviceTier: found.tier.length === 0 ? null : found.tier.join("+"),
  };
}

/** The part of it that stands at the top level: no message is read for it. */
export function readOutputBounds({
  bytes,
  topLevel,
}: BodyToBound): Pick<WorstCaseRequest, "outputTokensMax" | "choices"> {
  const caps: (number | undefined)[] = [];
  const choices: (number | undefined)[] = [1];
  for (const member of topLevel.members) {
    if (member.type === "null") continue;
    const name = foldCase(member.name);
    if (outputCaps.has(name))
      caps.push(member.name === name ? wholeNumber(bytes, member) : undefined);
    else if (choiceCounts.has(name)) choices.push(wholeNumber(bytes, member));
  }
  return { outputTokensMax: outputCap(caps), choices: largest(choices) };
}

class Findings {
  readonly content: ContentTraits = {
    messages: 0,
    media: false,
    audio: false,
    cacheWrites: null,
    toolReferences: null,
  };
  readonly tools: ToolTraits = {
    count: 0,
    calls: 0,
    billed: false,
    unbounded: false,
    proseBytes: 0,
  };
  readonly tier: string[] = [];
  #definitionBytes = 0;
  /** undefined: there are two, of which a provider may read either. */
  #toolList: Member | null | undefined = null;
  predictionBytes = 0;
  wantsAudioOutput = false;
  compacts: WorstCaseRequest["compacts"] = "never";
  unboundedBy: string | null = null;
  readonly #wire: Wire;
  readonly #bytes: Uint8Array;

  constructor(wire: Wire, bytes: Uint8Array) {
    this.#wire = wire;
    this.#bytes = bytes;
  }

  add(name: string, member: Member): void {
    switch (name) {
      case "messages":
        return readMessages(this.#reader(member), this.content);
      case "system":
        return readParts(this.#reader(member), this.content);
      case "cache_control":
        return readCacheControl(this.#reader(member), this.content);
      case "tools":
      case "functions":
        readTools(this.#wire, this.#reader(member), this.content, this.tools);
        if (this.tools.unbounded) this.unboundedBy = name;
        this.#toolList = this.#toolList === null ? member : undefined;
        this.#definitionBytes += member.valueEnd - member.valueStart;
        return;
      case "response_format":
      case "output_config":
      case "output_format":
        this.#definitionBytes += member.valueEnd - member.valueStart;
        return;
      case "prediction":
        this.predictionBytes += member.valueEnd - member.valueStart;
        return;
      case "modalities":
        this.wantsAudioOutput ||= mayName(this.#bytes, member, /"audio"|\\/);
        return;
      case "audio":
        this.wantsAudioOutput = true;
        return;
      case "context_management":
        if (this.compacts === "never" && mayName(this.#bytes, member, /"compact|\\/)) {
          this.compacts = "long";
        }
        return;
      case "compaction":
        this.compacts = "always";
        return;
      case "thread":
        // Of a conversation that the provider keeps only the last turn is sent.
        this.content.media ||= !beginsThread(this.#reader(member));
        return;
      case "service_tier":
        return this.#addTier(member, "auto");
      case "speed":
        return this.#addTier(member, "standard");
      case "inference_geo":
        return this.#addTier(member, "global");
      default:
        if (!unboundedMembers.has(name)) return;
        if (!isEmpty(this.#bytes, member)) this.unboundedBy = name;
    }
  }

  /** When all members have been read. A reference that names no tool may bring in anything. */
  toolBytesMax(): number {
    const definitions = this.#definitionBytes - this.tools.proseBytes;
    const { toolReferences } = this.content;
    if (toolReferences === null) return definitions;
    const list = this.#toolList ?? null;
    const bytes = list === null ? undefined : referencedBytes(this.#reader(list), toolReferences);
    this.content.media ||= bytes === undefined;
    return definitions + (bytes ?? 0) * 2;
  }

  #reader(member: Member): JsonReader {
    return new JsonReader(this.#bytes, member.valueStart);
  }

  /** What is no string, or an empty one, names nothing, as the value that leaves it to the provider. */
  #addTier(member: Member, unremarkable: string): void {
    if (member.type !== "string") return;
    const { valueStart, valueEnd } = member;
    const named = decodeString(this.#bytes, valueStart + 1, valueEnd - 1).toLowerCase();
    if (named !== "" && named !== unremarkable) this.tier.push(named);
  }
}

/** `{"type": "create"}` and no more: there is nothing before it. */
function beginsThread(reader: JsonReader): boolean {
  if (reader.type() !== "object") return false;
  let begins = false;
  reader.enter();
  while (reader.nextMember()) {
    const isType = keyOf(reader) === "type" && reader.type() === "string";
    reader.skip();
    const { bytes, start, end } = reader;
    if (!isType || decodeString(bytes, start + 1, end - 1) !== "create") return false;
    begins = true;
  }
  return begins;
}

/** null: none, or one among them that bounds nothing. */
function outputCap(caps: readonly (number | undefined)[]): number | null {
  if (caps.length === 0) return null;
  const cap = largest(caps);
  return cap === undefined || cap > outputCapTokensMax ? null : cap;
}

/** undefined: one of them is. */
function largest(numbers: readonly (number | undefined)[]): number | undefined {
  let most = 0;
  for (const each of numbers) {
    if (each === undefined) return undefined;
    most = Math.max(most, each);
  }
  return most;
}

/** A number from 1, however it is spelled: `16`, `16.0`, `1.6e1`. */
function wholeNumber(bytes: Uint8Array, member: Member): number | undefined {
  if (member.type !== "number") return undefined;
  const value = Number(valueText(bytes, member));
  return Number.isSafeInteger(value) && value >= 1 ? value : undefined;
}

function isEmpty(bytes: Uint8Array, member: Member): boolean {
  return /^(\[\s*\]|false)$/.test(valueText(bytes, member, 64));
}

/** What is too long to be looked at may name anything. */
function mayName(bytes: Uint8Array, member: Member, name: RegExp): boolean {
  const isWhole = member.valueEnd - member.valueStart <= valueCharsMax;
  return !isWhole || name.test(valueText(bytes, member));
}

const valueCharsMax = 4_096;

function valueText(
  bytes: Uint8Array,
  { valueStart, valueEnd }: Member,
  charsMax = valueCharsMax,
): string {
  const length = Math.min(valueEnd - valueStart, charsMax);
  return Buffer.from(bytes.buffer, bytes.byteOffset + valueStart, length).toString("latin1");
}
