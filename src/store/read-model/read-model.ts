import type { ChildProcess } from "node:child_process";
import {
  recordsCloseMsMax,
  recordsRestartMs,
  recordsRestartMsMax,
  recordsRetryAfterSeconds,
} from "../../contract/limits.ts";
import { refuse } from "../../contract/errors.ts";
import { accept, type Outcome, type Refused } from "../../contract/outcome.ts";
import type { RecordFilter } from "./filter.ts";
import type { FromReadModel, NewRecords, ReadModelState, ToReadModel, Unable } from "./messages.ts";
import type { Answers, AnswerTo, Question } from "./question.ts";

export interface ReadModelOptions {
  /** Starts the process of `ReadModelServer`. */
  readonly startProcess: () => ChildProcess;
  /** Prose for the operator's log. */
  readonly onTrouble: (message: string) => void;
  readonly onState: (state: ReadModelState) => void;
  /** How soon the process is started if nobody asks before. */
  readonly startAfterMs?: number;
}

/** Who asks. */
export interface Asker {
  /** One question at a time is answered of each. */
  readonly caller: string;
  /** The log's size at the question: what is in it then is in the answer. */
  readonly reach: number;
  /** Takes what is to be called once nobody waits for the answer any more. */
  readonly onLeft?: (leave: () => void) => void;
}

/** Who is told of new records. */
export interface TailListener {
  readonly told: (records: NewRecords) => void;
  /** Nothing more comes: the process has ended. */
  readonly ended: () => void;
}

type Resolve = (answer: Outcome<Answers[Question["kind"]]>) => void;

/**
 * Questions on records, answered in a process of their own. The log stays the truth: without this process
 * everything is served but these answers. A process that dies is started again.
 */
export class ReadModel {
  readonly #options: ReadModelOptions;
  #process: ChildProcess | null = null;
  #startTimer: NodeJS.Timeout | null;
  #pauseMs = recordsRestartMs;
  readonly #asked = new Map<number, Resolve>();
  readonly #tails = new Map<number, TailListener>();
  #asks = 0;
  #state: ReadModelState = { kind: "state", done: 0, total: 0, rebuilding: false };
  #closed = false;
  #ended: (() => void) | null = null;

  constructor(options: ReadModelOptions) {
    this.#options = options;
    const { startAfterMs = recordsRestartMs } = options;
    this.#startTimer = setTimeout(() => this.#start(), startAfterMs).unref();
  }

  /** How far the tables have followed the log, as it was told last. */
  get state(): ReadModelState {
    return this.#state;
  }

  /**
   * Resolves when it is answered; never, if its asker has left. Errors: `records_unavailable` while the records
   * are read anew, if the question takes too long, or too many wait.
   */
  ask<Q extends Question>(
    question: Q,
    { caller, reach, onLeft }: Asker,
  ): Promise<Outcome<AnswerTo<Q>>> {
    if (this.#closed) return Promise.resolve(unavailable("busy", this.#state));
    const child = this.#awake();
    if (child === null) return Promise.resolve(unavailable("failed", this.#state));
    this.#asks += 1;
    const id = this.#asks;
    return new Promise((resolve) => {
      // The process answers each kind of question in its own form.
      this.#asked.set(id, resolve as Resolve);
      send(child, { kind: "ask", id, caller, reach, question });
      onLeft?.(() => {
        if (!this.#asked.delete(id)) return;
        send(child, { kind: "leave", id });
        resolve(unavailable("busy", this.#state));
      });
    });
  }

  /**
   * Tells of new records that pass, from a place of the log on. Returns what stops it. Errors: `records_unavailable`
   * while the records are read anew, or without the process.
   */
  tail(filter: RecordFilter, from: number, listener: TailListener): Outcome<() => void> {
    const child = this.#awake();
    if (child === null) return unavailable("failed", this.#state);
    if (this.#state.rebuilding) return unavailable("behind", this.#state);
    this.#asks += 1;
    const id = this.#asks;
    this.#tails.set(id, listener);
    send(child, { kind: "tail", id, filter, from });
    return accept(() => {
      if (this.#tails.delete(id)) {
        send(child, { kind: "untail", id });
      }
    });
  }

  /** Ends the process; gives up after `recordsCloseMsMax`. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#startTimer !== null) clearTimeout(this.#startTimer);
    const child = this.#process;
    if (child === null) return;
    const ended = new Promise<void>((resolve) => (this.#ended = resolve));
    send(child, { kind: "end" });
    const timer = setTimeout(() => this.#ended?.(), recordsCloseMsMax);
    await ended;
    clearTimeout(timer);
    child.kill("SIGKILL");
  }

  /** The process, which begins with the first question if it was not begun before; null: it is down. */
  #awake(): ChildProcess | null {
    if (this.#process === null && this.#startTimer !== null && this.#pauseMs === recordsRestartMs) {
      clearTimeout(this.#startTimer);
      this.#start();
    }
    return this.#process;
  }

  #start(): void {
    this.#startTimer = null;
    if (this.#closed) return;
    const child = this.#options.startProcess();
    this.#process = child;
    child.on("message", (message: FromReadModel) => this.#take(message));
    // Only the first one: a process that could not be started may tell both.
    child.once("error", (error) => this.#gone(child, error.message));
    child.once("exit", (code, signal) => this.#gone(child, signal ?? `exit code ${code}`));
    child.unref();
    child.channel?.unref();
  }

  #gone(child: ChildProcess, why: string): void {
    if (this.#process !== child) return;
    this.#process = null;
    this.#ended?.();
    for (const resolve of this.#asked.values()) resolve(unavailable("failed", this.#state));
    this.#asked.clear();
    const tails = [...this.#tails.values()];
    this.#tails.clear();
    for (const { ended } of tails) ended();
    if (this.#closed) return;
    this.#options.onTrouble(`the process of the records has ended (${why}); it is started again`);
    this.#pauseMs = Math.min(2 * this.#pauseMs, recordsRestartMsMax);
    this.#startTimer = setTimeout(() => this.#start(), this.#pauseMs).unref();
  }

  #take(message: FromReadModel): void {
    switch (message.kind) {
      case "answer":
        this.#pauseMs = recordsRestartMs;
        this.#resolve(message.id, accept(message.answer));
        return;
      case "unable":
        this.#resolve(message.id, unavailable(message.why, this.#state));
        return;
      case "state":
        this.#state = message;
        this.#options.onState(message);
        return;
      case "tail":
        this.#tails.get(message.id)?.told(message);
        return;
      case "trouble":
        this.#options.onTrouble(message.message);
        return;
      case "ended":
        this.#ended?.();
    }
  }

  #resolve(id: number, answer: Outcome<Answers[Question["kind"]]>): void {
    this.#asked.get(id)?.(answer);
    this.#asked.delete(id);
  }
}

/** A process that is gone tells so itself. */
function send(child: ChildProcess, message: ToReadModel): void {
  if (child.connected) child.send(message, () => undefined);
}

function unavailable(why: Unable, { done, total }: ReadModelState): Refused {
  const messages: Readonly<Record<Unable, string>> = {
    behind: `The records are being read from the audit log: ${done} of ${total} so far. Lists without a filter are answered meanwhile.`,
    late: "The question took too long. Ask about less time, or filter more.",
    busy: "Too many questions on records wait for their answers.",
    failed: "The records can't be asked now. Lists without a filter are answered meanwhile.",
  };
  return refuse("records_unavailable", messages[why], {
    retryAfterSeconds: recordsRetryAfterSeconds,
  });
}
