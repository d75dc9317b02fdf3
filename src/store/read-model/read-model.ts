import type { Worker } from "node:worker_threads";
import {
  recordsCloseMsMax,
  recordsRestartMs,
  recordsRestartMsMax,
  recordsRetryAfterSeconds,
} from "../../contract/limits.ts";
import { refuse } from "../../contract/errors.ts";
import { accept, type Outcome, type Refused } from "../../contract/outcome.ts";
import type { FromReadModel, ReadModelState, ToReadModel, Unable } from "./messages.ts";
import type { Answers, AnswerTo, Question } from "./question.ts";

export interface ReadModelOptions {
  /** Starts the thread of `ReadModelServer`. */
  readonly startThread: () => Worker;
  /** Prose for the operator's log. */
  readonly onTrouble: (message: string) => void;
  readonly onState: (state: ReadModelState) => void;
  /** How soon the thread is started if nobody asks before. */
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

type Resolve = (answer: Outcome<Answers[Question["kind"]]>) => void;

/**
 * Questions on records, answered in a thread of their own. The log stays the truth: without this thread
 * everything is served but these answers. A thread that dies is started again.
 */
export class ReadModel {
  readonly #options: ReadModelOptions;
  #worker: Worker | null = null;
  #startTimer: NodeJS.Timeout | null;
  #pauseMs = recordsRestartMs;
  readonly #asked = new Map<number, Resolve>();
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
    if (this.#worker === null && this.#startTimer !== null && this.#pauseMs === recordsRestartMs) {
      clearTimeout(this.#startTimer);
      this.#start();
    }
    const worker = this.#worker;
    if (worker === null) return Promise.resolve(unavailable("failed", this.#state));
    this.#asks += 1;
    const id = this.#asks;
    return new Promise((resolve) => {
      // The thread answers each kind of question in its own form.
      this.#asked.set(id, resolve as Resolve);
      worker.postMessage({ kind: "ask", id, caller, reach, question } satisfies ToReadModel);
      onLeft?.(() => {
        if (!this.#asked.delete(id)) return;
        worker.postMessage({ kind: "leave", id } satisfies ToReadModel);
        resolve(unavailable("busy", this.#state));
      });
    });
  }

  /** Ends the thread; gives up after `recordsCloseMsMax`. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#startTimer !== null) clearTimeout(this.#startTimer);
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => (this.#ended = resolve));
    worker.postMessage({ kind: "end" } satisfies ToReadModel);
    const timer = setTimeout(() => this.#ended?.(), recordsCloseMsMax);
    await ended;
    clearTimeout(timer);
    await worker.terminate();
  }

  #start(): void {
    this.#startTimer = null;
    if (this.#closed) return;
    const worker = this.#options.startThread();
    this.#worker = worker;
    worker.unref();
    worker.on("message", (message: FromReadModel) => this.#take(message));
    worker.on("error", (error) =>
      this.#options.onTrouble(`the thread of the records failed: ${error.message}`),
    );
    worker.on("exit", () => {
      this.#ended?.();
      this.#worker = null;
      for (const resolve of this.#asked.values()) resolve(unavailable("failed", this.#state));
      this.#asked.clear();
      if (this.#closed) return;
      this.#pauseMs = Math.min(2 * this.#pauseMs, recordsRestartMsMax);
      this.#startTimer = setTimeout(() => this.#start(), this.#pauseMs).unref();
    });
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
