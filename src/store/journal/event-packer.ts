import { canonicalEvent } from "../../contract/audit.ts";
import { packedTextKnownCharactersMax, packedTextsKnownMax } from "../../contract/limits.ts";
import {
  auditEventOf,
  type RequestEvent,
  type RequestFacts,
} from "../../contract/request-event.ts";
import type { UsageBuckets } from "../../contract/usage.ts";
import { packedFlags, packedKinds, type PackedEvents } from "./packed-events.ts";

/** Slots of a request at most, and more. */
const slotsOfEventMax = 64;
const slotsAtFirst = 4_096;

/** Where a text stands in the events that are being packed, if it does. */
interface KnownText {
  place: number;
  round: number;
}

/**
 * Packs events for the thread that writes them, about 0.2 µs a request: numbers go into one array,
 * and a text that comes again and again (an organization's id, a model) is told once.
 */
export class EventPacker {
  #slots = new Float64Array(slotsAtFirst);
  #at = 0;
  #count = 0;
  #texts: string[] = [""];
  /** Kept from one round of events to the next, for most texts come in every one. */
  readonly #known = new Map<string, KnownText>();
  #round = 0;

  get count(): number {
    return this.#count;
  }

  /** An event in its canonical form: JSON without line breaks. */
  line(event: string): void {
    this.#begin(packedKinds.line);
    this.#uniqueText(event);
  }

  /** A request's event, kept as of now: nothing of it is read later. */
  request(event: RequestEvent, createdAtMs: number): void {
    const { facts } = event;
    const cost = Number(facts.cost?.costMicroUsd ?? Number.NaN);
    if (!Number.isNaN(cost) && !Number.isSafeInteger(cost)) {
      // Above nine billion dollars, which a double can't tell to the millionth.
      this.line(canonicalEvent(auditEventOf(event), new Date(createdAtMs).toISOString()));
      return;
    }
    this.#begin(packedKinds.request);
    this.#number(createdAtMs);
    this.#text(event.eventType);
    this.#text(event.orgId);
    this.#uniqueText(event.requestId);
    this.#number(event.httpStatus);
    this.#number(flagsOf(facts));
    this.#text(facts.route);
    this.#optionalText(facts.apiKeyId);
    this.#optionalText(facts.provider);
    this.#optionalText(facts.model);
    this.#optionalText(facts.errorCode);
    this.#optionalText(facts.end);
    if (event.inputSha256 === null) this.#number(0);
    else this.#uniqueText(event.inputSha256);
    this.#optionalText(facts.injection?.verdict ?? null);
    this.#number(facts.injection?.score ?? Number.NaN);
    this.#policy(facts.policy);
    this.#text(event.costStatus);
    this.#number(cost);
    this.#usage(facts.cost?.buckets ?? null);
    this.#number(facts.bodyMs ?? Number.NaN);
    this.#number(facts.scanMs ?? Number.NaN);
    this.#number(facts.holdMs ?? Number.NaN);
    this.#number(facts.firstByteMs ?? Number.NaN);
    this.#number(event.totalMs);
  }

  /** What was packed since the last call. */
  take(): PackedEvents {
    const packed = {
      count: this.#count,
      slots: this.#slots.slice(0, this.#at),
      texts: this.#texts,
    };
    // What a full disk has let grow is not kept.
    if (this.#slots.length > 64 * slotsAtFirst) this.#slots = new Float64Array(slotsAtFirst);
    this.#at = 0;
    this.#count = 0;
    this.#texts = [""];
    this.#round += 1;
    return packed;
  }

  #policy(policy: RequestFacts["policy"]): void {
    this.#optionalText(policy?.id ?? null);
    if (policy === null) return;
    this.#number(policy.version);
    this.#optionalText(policy.action);
    this.#optionalText(policy.input === null ? null : JSON.stringify(policy.input));
    this.#optionalText(policy.output === null ? null : JSON.stringify(policy.output));
  }

  #usage(buckets: UsageBuckets | null): void {
    if (buckets === null) {
      this.#number(Number.NaN);
      return;
    }
    this.#number(buckets.uncachedInput);
    this.#number(buckets.cacheRead);
    this.#number(buckets.cacheWrite5m);
    this.#number(buckets.cacheWrite1h);
    this.#number(buckets.audioInput);
    this.#number(buckets.imageInput);
    this.#number(buckets.outputText);
    this.#number(buckets.reasoning);
    this.#number(buckets.audioOutput);
    this.#number(buckets.imageOutput);
    this.#number(buckets.toolCalls);
  }

  #begin(kind: number): void {
    if (this.#at + slotsOfEventMax > this.#slots.length) {
      const grown = new Float64Array(2 * this.#slots.length);
      grown.set(this.#slots);
      this.#slots = grown;
    }
    this.#count += 1;
    this.#number(kind);
  }

  #number(value: number): void {
    this.#slots[this.#at] = value;
    this.#at += 1;
  }

  /** One that comes once. */
  #uniqueText(text: string): void {
    this.#number(this.#texts.push(text) - 1);
  }

  #optionalText(text: string | null): void {
    if (text === null) this.#number(0);
    else this.#text(text);
  }

  /** One that comes again and again. */
  #text(text: string): void {
    const known = this.#known.get(text);
    if (known?.round === this.#round) {
      this.#number(known.place);
      return;
    }
    this.#know(text, known);
    this.#uniqueText(text);
  }

  #know(text: string, known: KnownText | undefined): void {
    const place = this.#texts.length;
    if (known !== undefined) {
      known.place = place;
      known.round = this.#round;
    } else if (text.length <= packedTextKnownCharactersMax) {
      // Callers choose some of them.
      if (this.#known.size >= packedTextsKnownMax) this.#known.clear();
      this.#known.set(text, { place, round: this.#round });
    }
  }
}

function flagsOf(facts: RequestFacts): number {
  return (
    (facts.stream ? packedFlags.stream : 0) |
    (facts.clientGone ? packedFlags.clientGone : 0) |
    (facts.isScan ? packedFlags.isScan : 0) |
    (facts.policy?.dryRun === true ? packedFlags.dryRun : 0)
  );
}
