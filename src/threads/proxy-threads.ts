import type { MetricObject } from "prom-client";
import { cutSettleMsMax, proxyThreadBeatMs, proxyThreadExitMsMax } from "../contract/limits.ts";
import type { ListenerDescriptor } from "../proxy/listener/server.ts";
import { InFlight } from "../proxy/listener/in-flight.ts";
import type { ChangesSink, StoreChange } from "../store/embedded/changes.ts";
import type { Contents } from "../store/embedded/content/contents.ts";
import type { Journal } from "../store/journal/journal.ts";
import type { Keys } from "../store/embedded/keys/keys.ts";
import type { OpenedLedger } from "../store/embedded/ledger/open-ledger.ts";
import type { SpendingThreads } from "../store/ledger/told-writer.ts";
import type { HandedOverRequest, ThreadBatch } from "./messages.ts";
import { notesBytesOf } from "./outbox.ts";
import { ProxyWorker, type ProxyThread } from "./proxy-worker.ts";
import type { RemoteExchange } from "./remote-exchange.ts";
import type { SharedFlags } from "./shared-flags.ts";

export interface ProxyThreadsOptions {
  readonly words: SharedFlags;
  readonly books: Pick<OpenedLedger, "takeOver"> & { readonly journal: Journal };
  readonly contents: Pick<Contents, "keepPacked">;
  readonly keys: Pick<Keys, "noteUses">;
  /** Takes lines of the log as they are. */
  readonly log: (lines: string) => void;
  /** Never rejects. */
  readonly serve: (request: HandedOverRequest, exchange: RemoteExchange) => Promise<void>;
  /**
   * A thread has died. What it held and had in flight is not known any more, and locks may be in its
   * hand: the process has to end, and its next start squares the books as after any crash.
   */
  readonly died: (error: Error) => void;
}

/**
 * The proxy threads beside the main one. They count limits and spend money in shared memory; what they
 * have to write comes here, and what changes in the store goes to them.
 */
export class ProxyThreads implements ChangesSink, SpendingThreads {
  readonly #options: ProxyThreadsOptions;
  /** Handed-over requests, which may outlive their clients. */
  readonly #served = new InFlight();
  #workers: readonly ProxyWorker[] = [];
  #beats: NodeJS.Timeout | undefined;
  #died = false;

  constructor(options: ProxyThreadsOptions) {
    this.#options = options;
  }

  /** Resolves when all are up, with what the listener needs to hand them connections. */
  async start(threads: readonly ProxyThread[]): Promise<readonly ListenerDescriptor[]> {
    this.#workers = threads.map((thread, index) => {
      const worker: ProxyWorker = new ProxyWorker(index, thread, {
        batch: (batch) => this.#take(worker, batch),
        request: (request, exchange) => void this.#serve(request, exchange),
        died: (error) => this.#lost(error),
      });
      return worker;
    });
    const listeners = await Promise.all(this.#workers.map(({ ready }) => ready));
    // A thread that stands still would keep its share of all connections, and nobody might notice.
    this.#beats = setInterval(() => void this.handedOver(), proxyThreadBeatMs).unref();
    return listeners;
  }

  send(change: StoreChange): void {
    for (const worker of this.#workers) worker.post({ kind: "change", change });
  }

  takenIn(): Promise<void> {
    return this.handedOver();
  }

  async handedOver(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.ask({ about: "sync" })));
  }

  flushBegins(): () => void {
    const taken = this.#workers.map((worker) => worker.taken);
    return () => {
      const { words, books } = this.#options;
      words.journalFails = false;
      words.journalFull = books.journal.full;
      for (const [i, worker] of this.#workers.entries()) this.#durable(worker, taken[i] ?? 0);
    };
  }

  flushFailed(): void {
    this.#options.words.journalFails = true;
  }

  /** Forgets the organization's answers in the caches of all threads; done with the next `handedOver`. */
  forgetCached(orgId: string): void {
    for (const worker of this.#workers) worker.post({ kind: "forgetCached", orgId });
  }

  /** What every thread has counted. */
  async metrics(): Promise<readonly (readonly MetricObject[])[]> {
    return Promise.all(this.#workers.map((worker) => worker.ask({ about: "metrics" })));
  }

  /** Lets open exchanges finish, at most `waitMsMax`, takes over what is left, and ends all threads. */
  async drain(waitMsMax: number): Promise<void> {
    clearInterval(this.#beats);
    await Promise.all(this.#workers.map((worker) => worker.drain(waitMsMax)));
    this.#workers = [];
    await this.#served.over(cutSettleMsMax);
  }

  /**
   * Ends all threads here and now, and nothing in good order: for a process that exits, which Node
   * aborts where connections are open in one. False where one does not end.
   */
  end(): boolean {
    this.#died = true;
    for (const worker of this.#workers) worker.post({ kind: "end" });
    return this.#workers.every(({ index }) =>
      this.#options.words.awaitClosed(index, proxyThreadExitMsMax),
    );
  }

  async #serve(request: HandedOverRequest, exchange: RemoteExchange): Promise<void> {
    this.#served.begun();
    await this.#options.serve(request, exchange);
    this.#served.ended();
  }

  #take(worker: ProxyWorker, batch: ThreadBatch): void {
    const { words, books, contents, keys, log } = this.#options;
    worker.taken = batch.number;
    books.takeOver(batch.events, batch.operations);
    words.journalFull = books.journal.full;
    // Before it is packed into other memory.
    words.addNotesTaken(worker.index, notesBytesOf(batch));
    if (batch.contents !== null) contents.keepPacked(batch.contents);
    if (batch.log !== "") log(batch.log);
    if (batch.uses.length > 0) keys.noteUses(batch.uses);
    if (!batch.urgent) return;
    worker.awaited = batch.number;
    // A batch with nothing for the journal in it makes no flush begin.
    void books.journal.flushedAll(null).then(() => this.#durable(worker, batch.number));
  }

  #durable(worker: ProxyWorker, batch: number): void {
    const { words } = this.#options;
    if (batch > words.durable(worker.index)) words.setDurable(worker.index, batch);
    if (worker.awaited === 0 || worker.awaited > words.durable(worker.index)) return;
    worker.awaited = 0;
    worker.post({ kind: "durable" });
  }

  #lost(error: Error): void {
    if (this.#died) return;
    this.#died = true;
    this.#options.died(error);
  }
}
