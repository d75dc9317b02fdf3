import type { MetricObject } from "prom-client";
import { cutSettleMsMax, proxyThreadBeatMs, proxyThreadExitMsMax } from "../contract/limits.ts";
import type { AccountHealth } from "../contract/account-health.ts";
import type { ListenerDescriptor } from "../proxy/listener/server.ts";
import { InFlight } from "../proxy/listener/in-flight.ts";
import { ByteReader } from "../runtime/packed-bytes.ts";
import type { ChangesSink, StoreChange } from "../store/embedded/changes.ts";
import type { Contents } from "../store/content/contents.ts";
import type { Journal } from "../store/journal/journal.ts";
import type { Keys } from "../store/embedded/keys/keys.ts";
import type { OpenedLedger } from "../store/embedded/ledger/open-ledger.ts";
import type { SpendingThreads } from "../store/ledger/spending-threads.ts";
import type { GrantAnswer, GrantQuestion, HandedOverRequest, ThreadBatch } from "./messages.ts";
import { notesBytesOf } from "./outbox.ts";
import { ProxyWorker, type ProxyThread } from "./proxy-worker.ts";
import type { RemoteExchange } from "./remote-exchange.ts";
import type { SharedFlags } from "./shared-flags.ts";

export interface ProxyThreadsOptions {
  readonly words: SharedFlags;
  readonly books: Pick<OpenedLedger, "takeOver"> & { readonly journal: Journal };
  readonly contents: Pick<Contents, "keepPacked">;
  readonly keys: Pick<Keys, "noteUses">;
  /** Takes packed log lines unchanged. */
  readonly log: (line: Buffer) => void;
  /** Never rejects. */
  readonly serve: (request: HandedOverRequest, exchange: RemoteExchange) => Promise<void>;
  /** `ProviderState.caughtUp` of the main thread. */
  readonly caughtUp: () => Promise<void>;
  /** Asks the shared store; absent: there is none. Never rejects. */
  readonly grant?: ((question: GrantQuestion) => Promise<GrantAnswer>) | undefined;
  /**
   * A thread has died. Its reservations and running requests are unknown, and it may hold locks. So the
   * process must end, and its next start repairs the books as after any crash.
   */
  readonly died: (error: Error) => void;
}

/**
 * The proxy threads beside the main one. They count limits and spend money in shared memory. Their writes
 * come here, and changes of the store are sent to them.
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

  /**
   * Resolves when all threads are up, with the descriptors that the listener needs to give them connections.
   */
  async start(threads: readonly ProxyThread[]): Promise<readonly ListenerDescriptor[]> {
    this.#workers = threads.map((thread, index) => {
      const worker: ProxyWorker = new ProxyWorker(index, thread, {
        batch: (batch) => this.#take(worker, batch),
        request: (request, exchange) => void this.#serve(request, exchange),
        catchUp: (number) => void this.#catchUp(worker, number),
        grant: (number, question) => void this.#grant(worker, number, question),
        died: (error) => this.#lost(error),
      });
      return worker;
    });
    const listeners = await Promise.all(this.#workers.map(({ ready }) => ready));
    // A thread that hangs would keep its share of the connections, perhaps unnoticed.
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
      words.journalFull = books.journal.full;
      for (const [i, worker] of this.#workers.entries()) this.#durable(worker, taken[i] ?? 0);
    };
  }

  flushFailed(): void {
    this.#options.words.journalFails = true;
  }

  flushResumed(): void {
    this.#options.words.journalFails = false;
  }

  /**
   * Forgets the organization's answers in the caches of all threads. Done when the next `handedOver`
   * resolves.
   */
  forgetCached(orgId: string): void {
    for (const worker of this.#workers) worker.post({ kind: "forgetCached", orgId });
  }

  /** The counts of every thread. */
  async metrics(): Promise<readonly (readonly MetricObject[])[]> {
    const answers = this.#workers.map((worker) => worker.ask({ about: "metrics" }));
    return (await Promise.all(answers)).map((metrics) => metrics ?? []);
  }

  /** How an account does, as every thread that knows it sees it. */
  async accountHealth(name: string): Promise<readonly AccountHealth[]> {
    const answers = this.#workers.map((worker) => worker.ask({ about: "account", name }));
    return (await Promise.all(answers)).filter((health) => health !== null);
  }

  /**
   * Lets open exchanges finish, at most `waitMsMax`, takes over the remaining batches, and ends all
   * threads.
   */
  async drain(waitMsMax: number): Promise<void> {
    clearInterval(this.#beats);
    await Promise.all(this.#workers.map((worker) => worker.drain(waitMsMax)));
    this.#workers = [];
    await this.#served.over(cutSettleMsMax);
  }

  /**
   * Ends all threads at once, without a clean shutdown. For a process that exits: Node aborts if a thread has
   * open connections. False if a thread does not end.
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

  async #catchUp(worker: ProxyWorker, number: number): Promise<void> {
    await this.#options.caughtUp();
    worker.post({ kind: "caughtUp", number });
  }

  async #grant(worker: ProxyWorker, number: number, question: GrantQuestion): Promise<void> {
    const answer = (await this.#options.grant?.(question)) ?? { outcome: "away" };
    worker.post({ kind: "granted", number, answer });
  }

  #take(worker: ProxyWorker, batch: ThreadBatch): void {
    const { words, books, contents, keys, log } = this.#options;
    worker.taken = batch.number;
    books.takeOver(batch.events, batch.operations);
    words.journalFull = books.journal.full;
    // This comes before the contents are packed into other memory.
    words.addNotesTaken(worker.index, notesBytesOf(batch));
    for (const content of packedIn(batch.contents)) contents.keepPacked(content);
    for (const line of packedIn(batch.log)) log(line);
    if (batch.uses.length > 0) keys.noteUses(batch.uses);
    if (!batch.urgent) return;
    worker.awaited = batch.number;
    // A batch without journal entries starts no flush.
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

function* packedIn(bytes: Uint8Array | null): Generator<Buffer> {
  if (bytes === null) return;
  for (const reader = new ByteReader(bytes); !reader.isAtEnd;) yield reader.packed();
}
