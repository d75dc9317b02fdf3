import { atOnce } from "../support/at-once.ts";
import { microUsd } from "../../src/contract/money.ts";
import { JournalClosed } from "../../src/store/journal/journal.ts";
import type { Spender } from "../../src/store/ledger/ledger.ts";
import type { World } from "./world.ts";

/** Somebody who holds money by himself, may settle twice or late, and may forget to. */
export function holdAsJob(world: World): void {
  const random = world.random;
  const orgId = world.anyOrganization();
  const job = holdMoney(world, orgId, BigInt(random.integer(0, 100_000)));
  if (job === null) return;
  const cost = BigInt(random.integer(0, 150_000));
  const wait = random.chance(0.5) ? 1_000 : 100_000;
  const end = random.pick("settle", "release", "forget");
  world.time.after(random.between(0, wait), "process", () => {
    if (end === "release") return job.release();
    job.forget();
    // Some settle when their lease is over: they have forgotten for a while.
    const lateMs = random.chance(0.3) ? random.between(0, 90_000) : 0;
    if (end === "settle") world.time.after(lateMs, "process", () => job.settle(cost));
  });
}

/** One owes what another one holds, and could pay it as soon as that is given back. */
export function pinch(world: World, fillDisk: () => void): void {
  const random = world.random;
  const orgId = world.anyOrganization();
  const available = world.gateway?.ledger.balance(orgId)?.available ?? 0n;
  if (available < 30_000n) return;
  const greedy = holdMoney(world, orgId, available - 20_000n);
  holdMoney(world, orgId, 0n)?.settle(available / 2n);
  world.time.after(random.between(0, 6_000), "process", () => greedy?.release());
  if (random.chance(0.3)) {
    world.time.after(random.between(0, 6_000), "world", fillDisk);
  }
}

/** Money that is held in one thread, and spent at once or soon. */
export function spendIn(world: World, spender: Spender): void {
  const { random } = world;
  const job = holdMoney(world, world.anyOrganization(), BigInt(random.integer(0, 50_000)), spender);
  const end = (): void => {
    if (random.chance(0.2)) job?.release();
    else job?.settle(BigInt(random.integer(0, 60_000)));
  };
  if (random.chance(0.5)) end();
  else world.time.after(random.between(0, 1_000), "process", end);
}

const paidBy = { apiKeyId: "key_job", team: null };

function holdMoney(world: World, orgId: string, estimate: bigint, by?: Spender) {
  const gateway_ = world.gateway;
  if (gateway_ === null || world.isCalm) return null;
  const spender = by ?? world.random.pick(...gateway_.serving).spender;
  const requestId = world.newId(orgId);
  const holder = world.holder(requestId, "job");
  const isLive = (): boolean => holder.endedMs === null;
  const held = atOnce(
    spender.hold({ requestId, orgId, by: paidBy, estimate: microUsd(estimate), isLive }),
  );
  world.note(`${requestId} holds ${estimate}: ${held.ok}`);
  const forget = (): void => {
    holder.endedMs = world.time.monotonicMs();
  };
  if (!held.ok) {
    forget();
    return null;
  }
  return {
    forget,
    release: (): void => {
      forget();
      world.note(`${requestId} gives its money back`);
      unlessClosed(() => spender.release(held.value, []));
    },
    settle: (cost: bigint): void => {
      forget();
      world.note(`${requestId} settles for ${cost}`);
      world.oracle.charges.set(requestId, cost);
      const charge = { cost: microUsd(cost), catalogVersion: null, usage: null };
      unlessClosed(() => {
        const settlement = spender.settle(held.value, charge, []);
        const afterMs = world.random.between(0, 10);
        world.time.after(afterMs, "process", () => void settlement.durable());
        world.oracle.finished(gateway_.books, orgId, requestId);
      });
    },
  };
}

/** A gateway that stops takes nothing more; whoever still holds money then ends with its process. */
function unlessClosed(end: () => void): void {
  try {
    end();
  } catch (error) {
    if (!(error instanceof JournalClosed)) throw error;
  }
}
