import {
  policyBufferedBytesMax,
  policyOpenTextsMax,
  policyUnsearchedBytesMax,
} from "../../contract/limits.ts";
import { refuse, type Refusal } from "../../contract/errors.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { Wire } from "../../contract/wire.ts";
import { editEscaped, editText } from "../../json/escaped-text.ts";
import { splice } from "../../json/splice.ts";
import { decodeString } from "../../json/string.ts";
import { payloadOf, withPayload } from "../../sse/event-fields.ts";
import { MatchTally } from "../../workers/redact/finding.ts";
import type { PolicyStepsJob } from "../../workers/redact/redaction-task.ts";
import type { PolicyRules } from "../../workers/redact/rules.ts";
import type { TextStepResult } from "../../workers/redact/step-search.ts";
import type { AnswerGate, GateSink } from "../../exchange/exchange.ts";
import { answerBlocked } from "./blocked.ts";
import { EventSplit } from "./event-split.ts";
import { noteAction, type PolicyRecord } from "../record/policy-record.ts";
import { readEvent, type EventText, type StreamEvent } from "./stream-event.ts";
import { StreamText, type Buffering } from "./stream-text.ts";

/** Searches texts of a stream, in a thread; refuses `security_blocked`, `detector_unavailable`. */
export type SearchSteps = (job: PolicyStepsJob) => Promise<Outcome<readonly TextStepResult[]>>;

export interface GateOptions {
  readonly wire: Wire;
  readonly rules: PolicyRules;
  readonly buffering: Buffering;
  /** If true, nothing is delayed or changed, and findings are only noted. */
  readonly watches: boolean;
  readonly search: SearchSteps;
  readonly record: PolicyRecord;
}

/** The part of a text that an event brings. */
interface Part extends EventText {
  readonly text: StreamText;
  readonly from: number;
  readonly to: number;
}

interface WaitingEvent {
  readonly bytes: Buffer;
  readonly payload: Buffer;
  readonly parts: readonly Part[];
  readonly tokenLists: StreamEvent["tokenLists"];
}

/**
 * Applies a policy's rules for answers to a stream (design: Relay). An event is sent on, in order and byte
 * for byte, once the rules have decided on its text. If a part of the text is redacted, only that part is
 * replaced. Events that come during a search wait and are searched together afterwards.
 */
export class StreamGate implements AnswerGate {
  readonly #options: GateOptions;
  readonly #sink: GateSink;
  readonly #split = new EventSplit();
  readonly #tally = new MatchTally();
  /** Texts that may continue, by their names. */
  readonly #open = new Map<string, StreamText>();
  /** Texts that have grown or ended since they were last asked for a step. */
  readonly #fresh = new Set<StreamText>();
  #waiting: WaitingEvent[] = [];
  #waitingBytes = 0;
  #unsearchedBytes = 0;
  #isSearching = false;
  #isFinishing = false;
  #isOver = false;

  constructor(options: GateOptions, sink: GateSink) {
    this.#options = options;
    this.#sink = sink;
    options.record.output = {};
  }

  push(bytes: Buffer): boolean {
    if (this.#isOver) return true;
    const events = this.#split.push(bytes);
    if (events === null) this.#stop(unreadable);
    for (const event of events ?? []) this.#take(event, false);
    this.#unsearchedBytes += bytes.length;
    this.#advance();
    if (!this.#options.watches) return this.#unsearchedBytes <= policyUnsearchedBytesMax;
    // A gate that only watches does not slow the stream down. Above this bound it stops searching.
    if (this.#unsearchedBytes > policyBufferedBytesMax) this.#stop(tooLong);
    return true;
  }

  finish(): void {
    if (this.#isOver) {
      if (this.#options.watches) this.#sink.finished();
      return;
    }
    // Bytes without an empty line at the end are no event, unless only that line is missing.
    const rest = this.#split.rest();
    if (rest.length > 0) this.#take(rest, true);
    this.#end("");
    this.#isFinishing = true;
    this.#advance();
  }

  #take(bytes: Buffer, isCut: boolean): void {
    if (this.#isOver) return;
    const payload = payloadOf(bytes);
    const event = readEvent(this.#options.wire, payload);
    if (event === null) {
      if (!isCut) this.#stop(unreadable);
      return;
    }
    const parts = event.texts.map((text) => this.#part(text, payload ?? empty));
    for (const prefix of event.ends) this.#end(prefix);
    const isTooMuch = this.#open.size > policyOpenTextsMax;
    if (isTooMuch || parts.some(({ text }) => text.isTooLong)) return this.#stop(tooLong);
    if (this.#options.watches) return;
    if (event.isPing && this.#waiting.length > 0) return this.#passPing(bytes);
    const { tokenLists } = event;
    this.#waiting.push({ bytes, payload: payload ?? empty, parts, tokenLists });
    this.#waitingBytes += bytes.length;
  }

  /**
   * Sends a ping before the buffered events, but after those that may go on: a client may expect a message's
   * first event first.
   */
  #passPing(bytes: Buffer): void {
    this.#release();
    if (!this.#isOver) this.#sink.write(bytes);
  }

  #part(place: EventText, payload: Buffer): Part {
    const { form, name, start, end } = place;
    const text = (name === null ? undefined : this.#open.get(name)) ?? this.#newText(place);
    const from = text.length;
    text.add(
      form === "value" ? payload.toString("utf8", start, end) : decodeString(payload, start, end),
    );
    if (name === null) text.end();
    this.#fresh.add(text);
    return { ...place, text, from, to: text.length };
  }

  #newText({ form, name }: EventText): StreamText {
    const { buffering, watches } = this.#options;
    const text = new StreamText(form, buffering, !watches);
    if (name !== null) this.#open.set(name, text);
    return text;
  }

  /** Ends the texts whose names begin with the prefix. */
  #end(prefix: string): void {
    for (const [name, text] of this.#open) {
      if (!name.startsWith(prefix)) continue;
      text.end();
      this.#fresh.add(text);
      this.#open.delete(name);
    }
  }

  #advance(): void {
    if (this.#isSearching || this.#isOver) return;
    this.#isSearching = true;
    this.#searchOn().catch(() => this.#stop(failed));
  }

  /** Searches and releases until more bytes are needed. */
  async #searchOn(): Promise<void> {
    for (;;) {
      const asked = [...this.#fresh].flatMap((text) => {
        const step = text.nextStep();
        return step === null ? [] : [{ text, step }];
      });
      this.#fresh.clear();
      this.#unsearchedBytes = 0;
      if (asked.length === 0) return this.#searched();
      const { rules, search } = this.#options;
      const found = await search({ kind: "steps", rules, steps: asked.map(({ step }) => step) });
      if (this.#isOver) return;
      if (!found.ok) return this.#stop(found.refusal);
      for (const [index, { text, step }] of asked.entries()) {
        const result = found.value[index];
        if (result === undefined) throw new Error("a step without a result");
        text.take(step, result);
        this.#tally.add(result.findings);
      }
      this.#note();
      if (this.#tally.action === "block" && !this.#options.watches) return this.#stop(forbidden);
      this.#release();
      this.#sink.roomAgain();
    }
  }

  #note(): void {
    const { record } = this.#options;
    const { action, counts } = this.#tally;
    record.output = counts;
    if (action !== null) noteAction(record, "output", action);
  }

  /** Sends the decided events on, in order. */
  #release(): void {
    if (this.#isOver) return;
    const isDecided = ({ parts }: WaitingEvent): boolean =>
      parts.every(({ text, to }) => text.decided >= to);
    const firstUndecided = this.#waiting.findIndex((event) => !isDecided(event));
    const count = firstUndecided < 0 ? this.#waiting.length : firstUndecided;
    const released = this.#waiting.splice(0, count);
    for (const { bytes } of released) this.#waitingBytes -= bytes.length;
    if (released.length > 0) this.#sink.write(Buffer.concat(released.map(rendered)));
    if (this.#waitingBytes > policyBufferedBytesMax) this.#stop(tooLong);
  }

  /**
   * Runs in the same turn as the last check: all earlier input was searched, and new input starts a new
   * search.
   */
  #searched(): void {
    this.#isSearching = false;
    this.#release();
    if (this.#isOver) return;
    if (!this.#isFinishing) {
      // The events for which `push` returned false may need no search yet, so no search would report that
      // there is room.
      this.#sink.roomAgain();
      return;
    }
    this.#isOver = true;
    this.#sink.finished();
  }

  #stop(refusal: Refusal): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.#fresh.clear();
    this.#open.clear();
    const { watches, record } = this.#options;
    if (!watches) {
      if (refusal.code === "security_blocked") noteAction(record, "output", "block");
      this.#sink.blocked(refusal);
    } else if (this.#isFinishing) this.#sink.finished();
  }
}

const empty = Buffer.alloc(0);
const { refusal: forbidden } = answerBlocked("it contains something that the policy forbids");
const { refusal: tooLong } = answerBlocked("it needs a larger buffer than the limit allows");
const { refusal: unreadable } = answerBlocked("an event of it can't be read");
const { refusal: failed } = refuse("internal_error", "The security policy could not be applied.");

/** The event as it goes on. */
function rendered({ bytes, payload, parts, tokenLists }: WaitingEvent): Buffer {
  const edits = parts.flatMap(({ form, text, from, to, start, end }) => {
    const textEdits = text.editsOf(from, to);
    if (textEdits.length === 0) return [];
    const raw = payload.toString("utf8", start, end);
    const edited = form === "value" ? editText(raw, textEdits) : editEscaped(raw, textEdits);
    return [{ start, end, replacement: Buffer.from(edited) }];
  });
  if (edits.length === 0) return bytes;
  // The tokens would reveal what was redacted.
  const nulls = tokenLists.map((range) => ({ ...range, replacement: Buffer.from("null") }));
  return withPayload(bytes, Buffer.concat(splice(payload, [...edits, ...nulls])));
}
