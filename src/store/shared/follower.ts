import {
  sharedChangesAtOnce,
  sharedFollowMs,
  sharedReconnectMs,
  sharedRunBytesAtOnce,
  sharedRunsAtOnce,
} from "../../contract/limits.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { accept } from "../../contract/outcome.ts";
import type { RowChange, StoreWrite } from "../embedded/store-draft.ts";
import { setBack } from "./errors.ts";
import type { SharedFunctions } from "./functions.ts";
import { configRowOf, rowChangeOf, type Replica } from "./replica.ts";
import type { LogHead, Replication } from "./replication.ts";

/** What a follower needs of a `Replica`. */
export type Followed = Pick<
  Replica,
  "runs" | "size" | "changes" | "applyRuns" | "applyChange" | "applyWhole" | "differenceTo"
>;

export interface FollowerOptions {
  readonly replica: Followed;
  readonly replication: Replication;
  readonly functions: Pick<SharedFunctions, "sequenceRuns">;
  /** The copy has taken in a change of another gateway. */
  readonly changed: (seq: number, rows: readonly RowChange[]) => void;
  /** The copy can't take in a change; `newest`: of those that the store has. */
  readonly stuck: (newest: number) => void;
  readonly progress: (done: number, total: number) => void;
  readonly trouble: (error: Error) => void;
  /** The copy has more than the store. */
  readonly wentBack: (why: string) => void;
}

/** Brings what the shared store has into this gateway's copy, in order. Everything that writes the copy goes through it. */
export class Follower {
  readonly #options: FollowerOptions;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  #isStarted = false;
  #isFollowing = false;
  #closed = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Follows from now on. */
  start(): void {
    this.#isStarted = true;
    this.#schedule(this.#dueMs);
  }

  /** There is something new. */
  wake(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    if (this.#isStarted && !this.#isFollowing) this.#schedule(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  /** Resolves when the copy has all that the store had at the call. Rejects if the store can't be reached. */
  catchUp(): Promise<Outcome<null>> {
    return this.#inTurn(() => this.#follow());
  }

  /** Makes a change of this gateway; "behind": the copy has newer ones now, and nothing was written. */
  change(gateway: number, { rows, events }: StoreWrite, basedOn: number) {
    const { replica, replication } = this.#options;
    return this.#inTurn(async (): Promise<Outcome<null> | "behind" | "fenced"> => {
      if (replica.changes !== basedOn) return "behind";
      const written = rows.map(configRowOf);
      const reply = await replication.change(gateway, basedOn, written, events);
      if (reply.outcome === "fenced") return "fenced";
      if (reply.outcome === "written") return replica.applyChange(reply.seq, written);
      const pulled = await this.#pullChanges();
      return pulled.ok ? "behind" : pulled;
    });
  }

  /** Runs something else that writes the copy. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(work);
  }

  get #dueMs(): number {
    return this.#isDue ? 0 : sharedFollowMs;
  }

  /** One at a time: what comes meanwhile is looked at next. */
  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#followAndOn(), afterMs).unref();
  }

  async #followAndOn(): Promise<void> {
    this.#isDue = false;
    this.#isFollowing = true;
    let nextMs: number = sharedReconnectMs;
    try {
      const followed = await this.#inTurn(() => this.#follow());
      // A store that can't be reached, or a copy that can't be written, is left alone for a while, whoever wakes this.
      if (followed.ok) nextMs = this.#dueMs;
      else this.#options.trouble(new Error(followed.refusal.message));
    } catch (error) {
      this.#options.trouble(error as Error);
    }
    this.#isFollowing = false;
    this.#schedule(nextMs);
  }

  async #follow(): Promise<Outcome<null>> {
    const pulled = await this.#pullChanges();
    return pulled.ok ? this.#pullRuns() : pulled;
  }

  async #pullChanges(): Promise<Outcome<null>> {
    const { replica, replication, changed, stuck } = this.#options;
    for (;;) {
      const { seq: newest, changes } = await replication.changesAfter(
        replica.changes,
        sharedChangesAtOnce,
      );
      if (newest < replica.changes) {
        this.#wentBack(
          `the store has ${newest} changes of the configuration, and this gateway's copy has ${replica.changes}`,
        );
      }
      if (changes === null) return this.#takeWhole();
      for (const [seq, rows] of changes) {
        const applied = await replica.applyChange(seq, rows);
        if (!applied.ok) {
          stuck(newest);
          return applied;
        }
        changed(seq, rows.map(rowChangeOf));
      }
      if (replica.changes >= newest) return accept(null);
    }
  }

  async #takeWhole(): Promise<Outcome<null>> {
    const { replica, replication, changed, stuck } = this.#options;
    const { seq, rows } = await replication.whole();
    const changes = replica.differenceTo(rows);
    const applied = await replica.applyWhole(seq, changes);
    if (applied.ok) changed(seq, changes);
    else stuck(seq);
    return applied;
  }

  async #pullRuns(): Promise<Outcome<null>> {
    const { replica, replication, progress } = this.#options;
    const head = await this.#sequenced();
    if (head.runs < replica.runs) {
      this.#wentBack(
        `the store's log has ${head.runs} runs, and this gateway's copy has ${replica.runs}`,
      );
    }
    if (head.runs === replica.runs) this.#expectSize(head.size);
    while (replica.runs < head.runs) {
      const runs = await replication.runsAfter(
        replica.runs,
        sharedRunsAtOnce,
        sharedRunBytesAtOnce,
      );
      for (const { first } of runs.slice(0, 1)) this.#expectSize(first);
      const applied = await replica.applyRuns(runs);
      if (!applied.ok) return applied;
      progress(replica.runs, head.runs);
      // A copy of a long log takes minutes, and whoever changes the configuration waits for this gateway.
      const pulled = await this.#pullChanges();
      if (!pulled.ok) return pulled;
    }
    return accept(null);
  }

  /** After a database was set back others may have written as many runs as the copy has, or more. */
  #expectSize(size: number): void {
    const { replica } = this.#options;
    if (size === replica.size) return;
    this.#wentBack(
      `the first ${replica.runs} runs of the store's log have ${size} events, and this gateway's copy of them has ${replica.size}`,
    );
  }

  #wentBack(why: string): never {
    this.#options.wentBack(why);
    throw new Error(setBack(why));
  }

  /** Gives places to all runs that wait at the call. Returns how far the log is then. */
  async #sequenced(): Promise<LogHead> {
    const { replication, functions } = this.#options;
    const head = await replication.head();
    if (!head.waiting) return head;
    for (let tries = 0; tries < sequencingTriesMax; tries += 1) {
      const size = await functions.sequenceRuns(runsWithoutPlaceMax);
      if (size !== null) return replication.head();
      // Another gateway gives them their places now; runs that came later than it began wait for the next time.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error("another gateway gives the log's runs their places, and does not end");
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

const sequencingTriesMax = 2_000;
/** More than all gateways together leave in the time of one look. */
const runsWithoutPlaceMax = 100_000;
