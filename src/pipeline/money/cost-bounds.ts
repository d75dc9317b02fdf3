import type { WorstCaseRequest } from "../../billing/worst-case.ts";
import type { Wire } from "../../contract/wire.ts";
import type { Member, TopLevel } from "../../json/scanner.ts";
import { foldCase } from "../../json/fold-case.ts";
import { decodeString } from "../../json/string.ts";
import { JsonReader } from "../../json/reader.ts";
import {
  keyOf,
  readCacheControl,
  readItems,
  readMessages,
  readTexts,
  readParts,
  type ContentTraits,
} from "./cost-bounds-content.ts";
import { readTools, referencedBytes, type ToolTraits } from "./cost-bounds-tools.ts";

/** A request body that has been inspected. */
export interface BodyToBound {
  readonly bytes: Uint8Array;
  readonly topLevel: TopLevel;
}

/** The output caps of both wires and of the responses API. If several are present, the largest counts. */
const outputCaps: ReadonlySet<string> = new Set([
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
]);
/** A larger cap counts as none: no model writes so much, and sums stay exact. */
const outputCapTokensMax = 1_000_000_000;

/** If several are present, the largest counts. */
const choiceCounts: ReadonlySet<string> = new Set(["n", "best_of"]);

/** Members that let the provider search, call tools or fall back on its own, without any bound. */
const unboundedMembers: ReadonlySet<string> = new Set([
  "fallbacks",
  "mcp_servers",
  "models",
  "plugins",
  "search_parameters",
  "web_search_options",
]);

/**
 * What the worst case of a request depends on. It is read from the bytes without parsing, in one pass over
 * `messages`, `system` and `tools`. Doubt makes the request dearer: a part of unknown type counts as media,
 * and a cap that is no whole number from 1 counts as none. Member names match in any case, because some
 * providers read them so. A cap in another case cancels the other caps, because it may overrule them.
 */
export function readWorstCaseRequest(wire: Wire, body: BodyToBound): WorstCaseRequest {
  const found = new Findings(wire, body.bytes);
  for (const member of body.topLevel.members) {
    if (member.type !== "null") found.add(foldCase(member.name), member);
  }
  found.endTools();
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
    cacheWrites:
      content.cacheWrites ?? (wire === "messages" || wire === "embeddings" ? "none" : "automatic"),
    predictionBytes: found.predictionBytes,
    ...readOutputBounds(wire, body),
    perUseToolCalls: tools.calls,
    hasBilledTools: tools.billed,
    compacts: found.compacts,
    unboundedBy: found.unboundedBy,
    serviceTier: found.tier.length === 0 ? null : found.tier.join("+"),
  };
}

/** The part of the worst case that stands at the top level. No message is read for it. */
export function readOutputBounds(
  wire: Wire | null,
  { bytes, topLevel }: BodyToBound,
): Pick<WorstCaseRequest, "outputTokensMax" | "choices"> {
  if (wire === "embeddings") return noOutput;
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

/** Vectors are no tokens. */
const noOutput = { outputTokensMax: 0, choices: 1 } as const;

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
    needsCap: false,
    proseBytes: 0,
  };
  readonly tier: string[] = [];
  #definitionBytes = 0;
  #toolCallsMax: number | null = null;
  /** undefined if there are two lists: a provider may read either. */
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
      case "input":
        if (this.#wire === "embeddings") readTexts(this.#reader(member), this.content);
        else if (this.#wire === "responses") {
          readItems(this.#reader(member), this.content, (reader) => {
            const from = reader.at;
            this.#tools("input", reader);
            this.#definitionBytes += reader.at - from;
          });
        }
        return;
      case "previous_response_id":
      case "conversation":
        // The provider stores the turns before, so their tokens are unknown.
        this.content.media = true;
        return;
      case "text":
        this.#definitionBytes += member.valueEnd - member.valueStart;
        return;
      case "max_tool_calls":
        this.#toolCallsMax = wholeNumber(this.#bytes, member, 0) ?? null;
        return;
      case "system":
        return readParts(this.#reader(member), this.content);
      case "cache_control":
        return readCacheControl(this.#reader(member), this.content);
      case "tools":
      case "functions":
        this.#tools(name, this.#reader(member));
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
        // If the provider stores the conversation, only the last turn is sent, so its tokens are unknown.
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

  /** Call it when all members have been read. A reference that names no tool may bring in anything. */
  toolBytesMax(): number {
    const definitions = this.#definitionBytes - this.tools.proseBytes;
    const { toolReferences } = this.content;
    if (toolReferences === null) return definitions;
    const list = this.#toolList ?? null;
    const bytes = list === null ? undefined : referencedBytes(this.#reader(list), toolReferences);
    this.content.media ||= bytes === undefined;
    return definitions + (bytes ?? 0) * 2;
  }

  /** The calls of tools that the provider runs. Call it when all members have been read. */
  endTools(): void {
    if (!this.tools.needsCap) return;
    const most = this.#toolCallsMax;
    if (most === null || most > toolCallsCeiling) this.unboundedBy = "tools";
    else this.tools.calls += most;
  }

  #tools(name: string, reader: JsonReader): void {
    readTools(this.#wire, reader, this.content, this.tools);
    if (this.tools.unbounded) this.unboundedBy = name;
  }

  #reader(member: Member): JsonReader {
    return new JsonReader(this.#bytes, member.valueStart);
  }

  /** A value that is no string, is empty, or leaves the choice to the provider names no tier. */
  #addTier(member: Member, unremarkable: string): void {
    if (member.type !== "string") return;
    const { valueStart, valueEnd } = member;
    const named = decodeString(this.#bytes, valueStart + 1, valueEnd - 1).toLowerCase();
    if (named !== "" && named !== unremarkable) this.tier.push(named);
  }
}

/** True for exactly `{"type": "create"}`: no earlier turns exist. */
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

/** null if there are no caps, or if one of them bounds nothing. */
function outputCap(caps: readonly (number | undefined)[]): number | null {
  if (caps.length === 0) return null;
  const cap = largest(caps);
  return cap === undefined || cap > outputCapTokensMax ? null : cap;
}

/** undefined if one of the numbers is undefined. */
function largest(numbers: readonly (number | undefined)[]): number | undefined {
  let most = 0;
  for (const each of numbers) {
    if (each === undefined) return undefined;
    most = Math.max(most, each);
  }
  return most;
}

/** A larger cap bounds nothing in practice. */
const toolCallsCeiling = 10_000;

/** A whole number from `least`, in any spelling: `16`, `16.0`, `1.6e1`. */
function wholeNumber(bytes: Uint8Array, member: Member, least = 1): number | undefined {
  if (member.type !== "number") return undefined;
  const value = Number(valueText(bytes, member));
  return Number.isSafeInteger(value) && value >= least ? value : undefined;
}

function isEmpty(bytes: Uint8Array, member: Member): boolean {
  return /^(\[\s*\]|false)$/.test(valueText(bytes, member, 64));
}

/** A value that is too long to be examined may name anything. */
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
