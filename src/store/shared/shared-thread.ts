import { parentPort, workerData } from "node:worker_threads";
import type { Client } from "pg";
import { refuse } from "../../contract/errors.ts";
import { checkpointMsMax, sharedInForceMsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { collectNowAndThen } from "../../runtime/collect-garbage.ts";
import { noteSigner } from "../audit/signed-note.ts";
import { CheckpointPublisher } from "../embedded/audit/publisher.ts";
import { freeBytesAt } from "../embedded/files/disk-room.ts";
import { openRoot } from "../embedded/files/open-root.ts";
import { transactionsOf } from "../embedded/files/transactions.ts";
import { openJournalTables } from "../embedded/journal/journal-tables.ts";
import { openTables } from "../embedded/tables.ts";
import { WriteHalt } from "../embedded/write-halt.ts";
import type { JournalBatch } from "../journal/batch.ts";
import { flushPartsOf } from "./flush-of.ts";
import { Follower } from "./follower.ts";
import { Lease } from "./lease.ts";
import { Link } from "./link.ts";
import { Member, type FlushParts } from "./member.ts";
import { callsOf } from "./member-calls.ts";
import type {
  FromSharedThread,
  SharedAnswer,
  SharedQuestion,
  SharedThreadData,
  ToSharedThread,
} from "./messages.ts";
import { Replica } from "./replica.ts";
import { Replication } from "./replication.ts";
import { SharedFunctions } from "./functions.ts";

/*
 * The thread that is connected to the shared store. It alone writes this gateway's copy.
 */

// The data comes from the thread's starter by structured cloning.
const data = workerData as SharedThreadData;
const { url, log } = data;
const halt = new WriteHalt(data.halt);
const root = openRoot(data.databasePath);
const journalTables = openJournalTables(root);
const write = transactionsOf(root, halt, freeBytesAt(data.directory));
const replica = new Replica(openTables(root), journalTables, write);
const publisher = new CheckpointPublisher(journalTables, noteSigner(log.name, log.privateKeyPem));
collectNowAndThen();

const tell = (message: FromSharedThread): void => parentPort?.postMessage(message);
const trouble = ({ message }: Error): void => tell({ kind: "trouble", why: message });
const wentBack = (why: string): void =>
  tell({ kind: "fatal", why: `The database of the store went back in time: ${why}.` });

const member = new Member({
  ...{ url, name: data.name, release: data.release, configHash: data.configHash },
  lease: new Lease(data.lease),
  applied: (reply, returns) => tell({ kind: "applied", reply, returns }),
  lateGrant: (orgId, amount) => tell({ kind: "lateGrant", orgId, amount }),
  lateLimits: (late) => tell({ kind: "lateLimits", late }),
  lost: () => tell({ kind: "lost", epoch: member.epoch }),
  ...{ wentBack, trouble },
});
const calls = callsOf(member);

/** Reads, and is told what is new. */
const reads = new Link({
  url,
  opened: listen,
  notified: ({ channel, payload = "" }) => {
    if (channel === "weir_recall") tell({ kind: "recall", pool: payload });
    else if (channel === "weir_account") tell({ kind: "account", orgId: payload });
    else follower.wake();
  },
  broken: (error) => {
    trouble(error);
    follower.wake();
  },
});
const follower = new Follower({
  ...{ replica, wentBack, trouble },
  replication: new Replication(reads),
  functions: new SharedFunctions(reads),
  changed: (seq, rows) => tell({ kind: "changed", seq, rows }),
  progress: noteProgress,
});

async function listen(client: Client): Promise<void> {
  await client.query("LISTEN weir_change; LISTEN weir_recall; LISTEN weir_account");
}

let toldAtMs = 0;
function noteProgress(done: number, total: number): void {
  const nowMs = performance.now();
  if (done === total || nowMs - toldAtMs < 5_000) return;
  toldAtMs = nowMs;
  tell({ kind: "progress", done, total });
}

async function ready(): Promise<Outcome<null>> {
  await member.join();
  const caughtUp = await follower.catchUp();
  if (!caughtUp.ok) return caughtUp;
  member.actsOn(replica.changes);
  await member.beat();
  follower.start();
  return caughtUp;
}

async function flush(batch: JournalBatch, epoch: number): Promise<Outcome<null>> {
  try {
    await member.write(batch.number, partsOf(batch, epoch), epoch);
    return accept(null);
  } catch (error) {
    return unreachable(error);
  }
}

/** The parts of the batch that is being written, so that a second try in the same epoch makes them only once. */
let made: {
  readonly number: number;
  readonly epoch: number;
  readonly parts: FlushParts;
} | null = null;

function partsOf(batch: JournalBatch, epoch: number): FlushParts {
  if (made?.number === batch.number && made.epoch === epoch) return made.parts;
  const parts = flushPartsOf(batch, epoch);
  made = { number: batch.number, epoch, parts };
  return parts;
}

async function change({
  write: written,
  basedOn,
}: Extract<SharedQuestion, { about: "change" }>): Promise<Outcome<null> | "behind"> {
  try {
    const changed = await follower.change(member.id, written, basedOn);
    if (changed !== "fenced") return changed;
    // The next beat finds out, and joins anew.
    await member.beat();
    return "behind";
  } catch (error) {
    return unreachable(error);
  }
}

/** Waits until all live gateways act on what this one acts on; those that stand still are fenced meanwhile. */
async function inForce(): Promise<Outcome<null>> {
  const endMs = performance.now() + sharedInForceMsMax;
  try {
    await member.beat();
    const seq = member.configSeq;
    while (performance.now() < endMs) {
      if ((await member.replication.gatewaysBehind(seq)) === 0) return accept(null);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return notInForce;
  } catch (error) {
    return unreachable(error);
  }
}

async function publish(): Promise<Outcome<null>> {
  try {
    return await follower
      .catchUp()
      .then((caughtUp) => (caughtUp.ok ? follower.alone(() => sign()) : caughtUp));
  } catch (error) {
    return unreachable(error);
  }
}

/** One gateway tells of its checkpoints in the log; if all did, each would have the others' to sign. */
async function sign(): Promise<Outcome<null>> {
  const { isFirst } = member;
  if (isFirst ? !publisher.hasNews : !publisher.isBehind) return accept(null);
  let event = "";
  const signed = await write(() => {
    event = publisher.sign(Date.now());
  });
  if (signed.ok && isFirst) await member.replication.appendEvents(member.id, [event]);
  return signed;
}

async function caughtUp(): Promise<Outcome<null>> {
  try {
    return await follower.catchUp();
  } catch (error) {
    return unreachable(error);
  }
}

type AnyCall = (...values: readonly unknown[]) => Promise<unknown>;

async function call({
  name,
  values,
}: Extract<SharedQuestion, { about: "call" }>): Promise<SharedAnswer> {
  // The question's type ties the values to the name.
  const value = await (calls as Readonly<Record<typeof name, AnyCall>>)[name](...values);
  return { kind: "value", value };
}

async function end(): Promise<Outcome<null>> {
  clearInterval(checkpoints);
  await follower.close();
  await member.leave();
  await reads.close();
  await root.close();
  return accept(null);
}

async function answer(question: SharedQuestion): Promise<SharedAnswer> {
  switch (question.about) {
    case "ready":
      return outcome(await ready());
    case "write":
      return outcome(await flush(question.batch, question.epoch));
    case "change":
      return outcome(await change(question));
    case "inForce":
      return outcome(await inForce());
    case "catchUp":
      return outcome(await caughtUp());
    case "publish":
      return outcome(await publish());
    case "call":
      return call(question);
    case "end":
      return outcome(await end());
  }
}

function outcome(outcome: Outcome<null> | "behind"): SharedAnswer {
  return { kind: "outcome", outcome };
}

function unreachable(error: unknown): Outcome<never> {
  const why = error instanceof Error ? error.message : String(error);
  return refuse("internal_error", `The gateway's shared store can't be written: ${why}`);
}

const notInForce = refuse(
  "internal_error",
  "The change is written, but not every gateway has told that it acts on it.",
);

const checkpoints = setInterval(() => {
  if (member.isFirst) void publish();
}, checkpointMsMax);

parentPort?.on("message", (message: ToSharedThread) => {
  if (message.kind === "tookIn") {
    member.actsOn(message.seq);
    void member.beat().catch(trouble);
    return;
  }
  const { number, question } = message;
  answer(question).then(
    (answer) => {
      tell({ kind: "answer", number, answer });
      if (question.about === "end") parentPort?.close();
    },
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      tell({ kind: "answer", number, answer: { kind: "away", why } });
    },
  );
});
