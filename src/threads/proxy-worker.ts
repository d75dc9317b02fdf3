import { proxyThreadAnswerMsMax, proxyThreadExitMsMax } from "../contract/limits.ts";
import type { ListenerDescriptor } from "../proxy/listener/server.ts";
import type {
  ExchangeStep,
  FromThread,
  GrantQuestion,
  HandedOverRequest,
  ThreadAnswer,
  ThreadAnswers,
  ThreadBatch,
  ThreadQuestion,
  ToThread,
} from "./messages.ts";
import { RemoteExchange } from "./remote-exchange.ts";

/** How the main thread handles the messages of a proxy thread. */
export interface WorkerListener {
  batch(batch: ThreadBatch): void;
  request(request: HandedOverRequest, exchange: RemoteExchange): void;
  /** To be answered with `caughtUp` and this number. */
  catchUp(number: number): void;
  /** To be answered with `granted` and this number. */
  grant(number: number, question: GrantQuestion): void;
  /** The thread has ended without a request, or does not answer. Called once. */
  died(error: Error): void;
}

/** The thread of a proxy worker, as Node's `Worker`. */
export interface ProxyThread {
  postMessage(message: ToThread): void;
  on(event: "message", listener: (message: FromThread) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "exit", listener: (code: number) => void): unknown;
  once(event: "exit", listener: () => void): unknown;
  terminate(): Promise<unknown>;
}

/** One proxy thread, as seen by the main thread. */
export class ProxyWorker {
  readonly index: number;
  /** Resolves when the thread can take connections; rejects if it could not start. */
  readonly ready: Promise<ListenerDescriptor>;
  /** The number of the last batch that was taken over. */
  taken = 0;
  /** The last batch that the thread waits for; 0 if it waits for none. */
  awaited = 0;
  readonly #thread: ProxyThread;
  readonly #listener: WorkerListener;
  readonly #exchanges = new Map<number, RemoteExchange>();
  readonly #answers = new Map<number, (answer: ThreadAnswer) => void>();
  #questions = 0;
  /** True if it has closed everything and only has to end. */
  #drained = false;
  #ended = false;
  #dead = false;

  constructor(index: number, thread: ProxyThread, listener: WorkerListener) {
    this.index = index;
    this.#listener = listener;
    this.#thread = thread;
    this.ready = new Promise((resolve, reject) => {
      this.#thread.on("message", (message) => {
        if (message.kind === "ready") resolve(message.listener);
        else this.#heard(message);
      });
      const died = (error: Error): void => {
        reject(error);
        this.#died(error);
      };
      this.#thread.on("error", (error) =>
        died(error instanceof Error ? error : new Error(String(error))),
      );
      this.#thread.on("exit", (code) => {
        died(new Error(`a proxy thread ended with code ${code}`));
        this.#exited();
      });
    });
  }

  post(message: ToThread): void {
    this.#thread.postMessage(message);
  }

  /**
   * Resolves with the answer, or with null if the thread has ended. A thread that gives no answer for too long
   * counts as dead.
   */
  ask<Q extends ThreadQuestion>(
    question: Q,
    waitMsMax = proxyThreadAnswerMsMax,
  ): Promise<ThreadAnswers[Q["about"]] | null> {
    if (this.#ended) return Promise.resolve(null);
    const number = ++this.#questions;
    return new Promise((resolve) => {
      const late = setTimeout(
        () => this.#died(new Error("a proxy thread does not answer")),
        waitMsMax,
      );
      this.#answers.set(number, (answer) => {
        clearTimeout(late);
        // At once, because the thread's end may come with the same message.
        if (question.about === "drained") this.#drained = true;
        // The thread answers what it was asked.
        resolve(answer as ThreadAnswers[Q["about"]] | null);
      });
      this.post({ kind: "question", number, question });
    });
  }

  /**
   * Lets the thread's exchanges finish; resolves when it has ended. If it does not end by itself, it is
   * terminated: it has no work left.
   */
  async drain(waitMsMax: number): Promise<void> {
    if (this.#ended) return;
    const ended = new Promise<void>((resolve) => this.#thread.once("exit", () => resolve()));
    await this.ask({ about: "drained", waitMsMax }, waitMsMax + proxyThreadAnswerMsMax);
    const late = setTimeout(() => void this.#thread.terminate(), proxyThreadExitMsMax);
    await ended;
    clearTimeout(late);
  }

  #heard(message: Exclude<FromThread, { kind: "ready" }>): void {
    switch (message.kind) {
      case "batch":
        this.#listener.batch(message);
        return;
      case "answer":
        this.#answers.get(message.number)?.(message.answer);
        this.#answers.delete(message.number);
        return;
      case "request":
        this.#begin(message.request);
        return;
      case "catchUp":
        this.#listener.catchUp(message.number);
        return;
      case "grant":
        this.#listener.grant(message.number, message.question);
        return;
      case "gone":
        this.#exchanges.get(message.id)?.left();
        this.#exchanges.delete(message.id);
        return;
      case "drained":
        this.#exchanges.get(message.id)?.drained();
    }
  }

  #begin(request: HandedOverRequest): void {
    const { id } = request;
    const step = (step: ExchangeStep): void => {
      if (step.kind !== "begin" && step.kind !== "write") this.#exchanges.delete(id);
      this.post({ kind: "exchange", id, step });
    };
    const exchange = new RemoteExchange(request, step);
    this.#exchanges.set(id, exchange);
    this.#listener.request(request, exchange);
  }

  /** Its open questions get no answer any more, and the requests that it has handed over have no client. */
  #exited(): void {
    this.#ended = true;
    for (const exchange of this.#exchanges.values()) exchange.left();
    this.#exchanges.clear();
    for (const answer of this.#answers.values()) answer(null);
    this.#answers.clear();
  }

  #died(error: Error): void {
    if (this.#drained || this.#dead) return;
    this.#dead = true;
    this.#listener.died(error);
  }
}
