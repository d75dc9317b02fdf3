import { refuse } from "../../contract/errors.ts";
import {
  checkpointMsMax,
  sharedBeatMs,
  sharedInForceMsMax,
  sharedReconnectMs,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { CheckpointPublisher } from "../embedded/audit/publisher.ts";
import type { Transactions } from "../embedded/files/transactions.ts";
import type { JournalBatch } from "../journal/batch.ts";
import type { SharedCalls } from "./calls.ts";
import { flushPartsOf } from "./flush-of.ts";
import { setBack } from "./errors.ts";
import { Follower, type Followed } from "./follower.ts";
import { SharedFunctions } from "./functions.ts";
import { Lease } from "./lease.ts";
import { Link, type Connection, type NewConnection } from "./link.ts";
import { Member, type FlushParts } from "./member.ts";
import { callsOf } from "./member-calls.ts";
import type {
  FromSharedThread,
  SharedAnswer,
  SharedQuestion,
  SharedThreadData,
  ToSharedThread,
} from "./messages.ts";
import { isOlderRelease, tooOld } from "./releases.ts";
import { Replication, type AboutStore } from "./replication.ts";

export interface StoreSessionOptions {
  readonly data: Pick<
    SharedThreadData,
    "url" | "lease" | "log" | "name" | "release" | "configHash"
  >;
  /** This gateway's copy, and what writes it. */
  readonly replica: Followed;
  readonly write: Transactions;
  readonly publisher: Pick<CheckpointPublisher, "hasNews" | "isBehind" | "sign">;
  readonly closeCopy: () => Promise<void>;
  readonly tell: (message: FromSharedThread) => void;
  /** Called behind the answer to the last question. */
  readonly ended: () => void;
  /** As of `LinkOptions`. */
  readonly newConnection?: NewConnection | undefined;
}

/** One start of a gateway on the shared store: it answers the main thread's questions, and tells it what is new. */
export class StoreSession {
  readonly #options: StoreSessionOptions;
  readonly #member: Member;
  readonly #calls: SharedCalls;
  /** Reads, and is told what is new. */
  readonly #reads: Link;
  readonly #follower: Follower;
  readonly #replication: Replication;
  readonly #lease: Lease;
  readonly #checkpoints: NodeJS.Timeout;
  readonly #looks: NodeJS.Timeout;
  #toldAtMs = 0;
  #isEnding = false;
  /** The parts of the batch that is being written, so that a second try in the same epoch makes them only once. */
  #made: { readonly number: number; readonly epoch: number; readonly parts: FlushParts } | null =
    null;

  constructor(options: StoreSessionOptions) {
    this.#options = options;
    const { data, replica, tell, newConnection } = options;
    const { url, name, release, configHash } = data;
    const trouble = this.#trouble;
    const wentBack = (why: string): void => tell({ kind: "fatal", why: setBack(why) });
    this.#lease = new Lease(data.lease);
    this.#member = new Member({
      ...{ url, name, release, configHash, newConnection, wentBack, trouble },
      lease: this.#lease,
      applied: (reply, returns) => tell({ kind: "applied", reply, returns }),
      lateGrant: (orgId, amount) => tell({ kind: "lateGrant", orgId, amount }),
      lateLimits: (late) => tell({ kind: "lateLimits", late }),
      lost: () => tell({ kind: "lost", epoch: this.#member.epoch }),
      rejoined: () => void this.#rejoined(),
    });
    this.#calls = callsOf(this.#member);
    this.#reads = new Link({
      ...{ url, newConnection },
      opened: listen,
      notified: ({ channel, payload = "" }) => {
        if (channel === "weir_recall") tell({ kind: "recall", pool: payload });
        else if (channel === "weir_account") tell({ kind: "account", orgId: payload });
        else if (channel === "weir_about") void this.#look();
        else this.#follower.wake();
      },
      broken: (error) => {
        trouble(error);
        this.#follower.wake();
      },
    });
    this.#replication = new Replication(this.#reads);
    this.#follower = new Follower({
      ...{ replica, wentBack, trouble },
      replication: this.#replication,
      functions: new SharedFunctions(this.#reads),
      changed: (seq, rows) => tell({ kind: "changed", seq, rows }),
      stuck: (newest) => this.#member.cannotActOn(newest),
      progress: (done, total) => this.#noteProgress(done, total),
    });
    this.#checkpoints = setInterval(() => {
      if (this.#member.isFirst) void this.#publish();
    }, checkpointMsMax);
    this.#looks = setInterval(() => void this.#look(), sharedBeatMs);
  }

  get member(): Member {
    return this.#member;
  }

  receive(message: ToSharedThread): void {
    if (message.kind === "tookIn") {
      this.#member.actsOn(message.seq);
      void this.#member.beat().catch(this.#trouble);
      return;
    }
    const { number, question } = message;
    const { tell, ended } = this.#options;
    this.#answer(question).then(
      (answer) => {
        tell({ kind: "answer", number, answer });
        if (question.about === "end") ended();
      },
      (error: unknown) =>
        tell({ kind: "answer", number, answer: { kind: "away", why: why(error) } }),
    );
  }

  async #answer(question: SharedQuestion): Promise<SharedAnswer> {
    switch (question.about) {
      case "ready":
        return outcome(await this.#ready());
      case "write":
        return outcome(await this.#flush(question.batch, question.epoch));
      case "change":
        return outcome(await this.#change(question));
      case "inForce":
        return outcome(await this.#inForce());
      case "catchUp":
        return outcome(await this.#caughtUp());
      case "publish":
        return outcome(await this.#publish());
      case "call":
        return this.#call(question);
      case "end":
        return outcome(await this.#end());
    }
  }

  async #ready(): Promise<Outcome<null>> {
    await this.#member.join();
    const caughtUp = await this.#follower.catchUp();
    if (!caughtUp.ok) return caughtUp;
    this.#member.actsOn(this.#options.replica.changes);
    await this.#member.beat();
    this.#follower.start();
    return caughtUp;
  }

  /** The store is asked for changes after it has this gateway's new id; later ones wait for this gateway. */
  async #rejoined(): Promise<void> {
    const { epoch } = this.#member;
    for (;;) {
      const caughtUp = await this.#caughtUp();
      // It was given up again, or ends.
      if (this.#member.epoch !== epoch || this.#isEnding) return;
      if (caughtUp.ok) break;
      await new Promise((resolve) => setTimeout(resolve, sharedReconnectMs));
    }
    this.#member.mustActOn(this.#options.replica.changes);
    await this.#member.beat().catch(this.#trouble);
  }

  async #flush(batch: JournalBatch, epoch: number): Promise<Outcome<null>> {
    try {
      await this.#member.write(batch.number, this.#partsOf(batch, epoch), epoch);
      return accept(null);
    } catch (error) {
      return unreachable(error);
    }
  }

  #partsOf(batch: JournalBatch, epoch: number): FlushParts {
    const made = this.#made;
    if (made?.number === batch.number && made.epoch === epoch) return made.parts;
    const parts = flushPartsOf(batch, epoch);
    this.#made = { number: batch.number, epoch, parts };
    return parts;
  }

  async #change({
    write,
    basedOn,
  }: Extract<SharedQuestion, { about: "change" }>): Promise<Outcome<null> | "behind"> {
    try {
      const changed = await this.#follower.change(this.#member.id, write, basedOn);
      if (changed !== "fenced") return changed;
      // The next beat finds out, and joins anew.
      await this.#member.beat();
      return "behind";
    } catch (error) {
      return unreachable(error);
    }
  }

  /** Waits until all live gateways act on what this one acts on; those that stand still are fenced meanwhile. */
  async #inForce(): Promise<Outcome<null>> {
    const endMs = performance.now() + sharedInForceMsMax;
    try {
      await this.#member.beat();
      const { configSeq, replication } = this.#member;
      while (performance.now() < endMs) {
        if ((await replication.gatewaysBehind(configSeq)) === 0) return accept(null);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return notInForce;
    } catch (error) {
      return unreachable(error);
    }
  }

  async #publish(): Promise<Outcome<null>> {
    try {
      const caughtUp = await this.#follower.catchUp();
      return caughtUp.ok ? await this.#follower.alone(() => this.#sign()) : caughtUp;
    } catch (error) {
      return unreachable(error);
    }
  }

  /** Looks at what may change for all gateways while they run. Never rejects. */
  async #look(): Promise<void> {
    try {
      this.#heed(await this.#replication.about());
    } catch (error) {
      this.#trouble(error as Error);
    }
  }

  /** False: the log goes on under another name, so this gateway may sign nothing. */
  #heed({ oldestRelease, logName }: AboutStore): boolean {
    const { data, tell } = this.#options;
    if (isOlderRelease(data.release, oldestRelease)) {
      this.#lease.giveUp();
      this.#trouble(new Error(tooOld(data.release, oldestRelease)));
    }
    if (logName === data.log.name) return true;
    const why = `The log of the store goes on under the name ${logName}: start again with an empty data directory.`;
    tell({ kind: "fatal", why });
    return false;
  }

  /** One gateway tells of its checkpoints in the log; if all did, each would have the others' to sign. */
  async #sign(): Promise<Outcome<null>> {
    const { publisher, write } = this.#options;
    const { isFirst, id, replication } = this.#member;
    if (isFirst ? !publisher.hasNews : !publisher.isBehind) return accept(null);
    if (!this.#heed(await this.#replication.about())) return otherLog;
    let event = "";
    const signed = await write(() => {
      event = publisher.sign(Date.now());
    });
    if (signed.ok && isFirst) await replication.appendEvents(id, [event]);
    return signed;
  }

  async #caughtUp(): Promise<Outcome<null>> {
    try {
      return await this.#follower.catchUp();
    } catch (error) {
      return unreachable(error);
    }
  }

  async #call({ name, values }: Extract<SharedQuestion, { about: "call" }>): Promise<SharedAnswer> {
    // The question's type ties the values to the name.
    const call = (this.#calls as Readonly<Record<typeof name, AnyCall>>)[name];
    return { kind: "value", value: await call(...values) };
  }

  async #end(): Promise<Outcome<null>> {
    this.#isEnding = true;
    clearInterval(this.#checkpoints);
    clearInterval(this.#looks);
    await this.#follower.close();
    await this.#member.leave();
    await this.#reads.close();
    await this.#options.closeCopy();
    return accept(null);
  }

  #noteProgress(done: number, total: number): void {
    const nowMs = performance.now();
    if (done === total || nowMs - this.#toldAtMs < 5_000) return;
    this.#toldAtMs = nowMs;
    this.#options.tell({ kind: "progress", done, total });
  }

  readonly #trouble = ({ message }: Error): void =>
    this.#options.tell({ kind: "trouble", why: message });
}

type AnyCall = (...values: readonly unknown[]) => Promise<unknown>;

async function listen(connection: Connection): Promise<void> {
  await connection.query(
    "LISTEN weir_change; LISTEN weir_recall; LISTEN weir_account; LISTEN weir_about",
  );
}

function outcome(outcome: Outcome<null> | "behind"): SharedAnswer {
  return { kind: "outcome", outcome };
}

function unreachable(error: unknown): Outcome<never> {
  return refuse("internal_error", `The gateway's shared store can't be written: ${why(error)}`);
}

function why(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const otherLog = refuse("internal_error", "The log of the store goes on under another name.");
const notInForce = refuse(
  "internal_error",
  "The change is written, but not every gateway has told that it acts on it.",
);
