import { expect, onTestFinished, test } from "vitest";
import { Lease, type LeaseMoment } from "../../../src/store/shared/lease.ts";
import type { Connection } from "../../../src/store/shared/link.ts";
import { Member, type FlushParts } from "../../../src/store/shared/member.ts";

/** A lease with the clock of the test. */
class TestLease extends Lease {
  ms = 0;
  over = false;
  readonly renewals: number[] = [];

  override now(): LeaseMoment {
    return { monotonicMs: this.ms, wallMs: this.ms };
  }

  override get isOver(): boolean {
    return this.over;
  }

  override renewed({ monotonicMs }: LeaseMoment): void {
    this.renewals.push(monotonicMs);
  }
}

type Reply = Awaited<ReturnType<Connection["query"]>>;

/**
 * A server that knows one gateway. `answer` decides about each flush: its reply, or what breaks the connection. `configSeq`:
 * what the gateway says that it acts on. `join`: the gateway's id, as the server writes it.
 */
function serverOf(
  answer: (seq: number, gateway: number, configSeq: number) => object,
  join = (): string => "1",
): () => Connection & { query(asked: unknown): Promise<Reply> } {
  const query = (asked: unknown): Promise<Reply> => {
    const { name, values } = asked as { readonly name: string; readonly values: readonly number[] };
    const replies: Readonly<Record<string, () => unknown>> = {
      join_cluster: join,
      flush: () => answer(Number(values[1]), Number(values[0]), Number(values[2])),
      live_gateways: () => ({}),
      end_gateway: () => true,
      sweep_limits: () => 0,
    };
    return new Promise((resolve) => {
      resolve({ rows: [{ reply: replies[name]?.() }] } as Reply);
    });
  };
  return () => ({
    query,
    on: () => undefined,
    connect: () => Promise.resolve(),
    end: () => Promise.resolve(),
  });
}

const applied = (seq: number) => ({
  ...{ outcome: "applied", seq, owed: [], refused: [], accounts: {}, caps: {} },
});

function memberOn(
  newConnection: () => Connection,
  lease: Lease,
  wentBack: (why: string) => void = () => undefined,
): Member {
  const nothing = (): void => undefined;
  const member = new Member({
    ...{ url: "", name: "a", release: "1", configHash: "", lease, newConnection },
    ...{ applied: nothing, lateGrant: nothing, lateLimits: nothing, lost: nothing },
    ...{ rejoined: nothing, wentBack, trouble: nothing },
  });
  onTestFinished(() => member.leave());
  return member;
}

async function joined(newConnection: () => Connection): Promise<[Member, TestLease]> {
  const lease = new TestLease();
  const member = memberOn(newConnection, lease);
  await member.join();
  await member.beat();
  lease.renewals.length = 0;
  return [member, lease];
}

test("a repeated flush renews the lease from when it was sent first, and a new one follows at once", async () => {
  let isAway = false;
  const flushed: number[] = [];
  const [member, lease] = await joined(
    serverOf((seq) => {
      flushed.push(seq);
      if (isAway) throw new Error("the answer was lost");
      return applied(seq);
    }),
  );
  flushed.length = 0;
  lease.ms = 1_000;
  isAway = true;
  await expect(member.beat()).rejects.toThrow("the answer was lost");
  isAway = false;
  lease.ms = 25_000;
  await member.beat();
  const [lost = 0] = flushed;
  expect(flushed.slice(0, 3)).toEqual([lost, lost, lost + 1]);
  expect(lease.renewals.slice(0, 2)).toEqual([1_000, 25_000]);
});

test("a gateway that was given up has its lease when it acts on what it must", async () => {
  let isFenced = false;
  const [member, lease] = await joined(
    serverOf((seq) => {
      if (!isFenced) return applied(seq);
      isFenced = false;
      return { outcome: "fenced", last: applied(seq - 1) };
    }),
  );
  isFenced = true;
  await member.beat();
  expect(lease.renewals).toEqual([]);
  member.mustActOn(7);
  await member.beat();
  expect(lease.renewals).toEqual([]);
  member.actsOn(7);
  await member.beat();
  expect(lease.renewals).toHaveLength(1);
});

test("a gateway that can't take in a change is waited for until its lease is over", async () => {
  const told: number[] = [];
  const [member, lease] = await joined(
    serverOf((seq, _, configSeq) => {
      told.push(configSeq);
      return applied(seq);
    }),
  );
  const tells = async (): Promise<number | undefined> => {
    await member.beat();
    return told.at(-1);
  };
  member.actsOn(3);
  expect(await tells()).toBe(3);
  lease.renewals.length = 0;
  member.cannotActOn(5);
  expect(await tells()).toBe(3);
  expect(lease.renewals).toEqual([]);
  lease.over = true;
  expect(await tells()).toBe(5);
  expect(lease.renewals).toEqual([]);
  member.actsOn(4);
  expect(await tells()).toBe(5);
  expect(lease.renewals).toEqual([]);
  member.actsOn(5);
  expect(await tells()).toBe(5);
  expect(lease.renewals.length).toBeGreaterThan(0);
});

/**
 * A server that fences gateway 1 after its flush `last`, whose answer may be lost. The answer to the next join is lost; the one
 * after that makes gateway 2.
 */
function serverThatFences(last: number, losesAnswer: boolean) {
  let joins = 0;
  const flushes: (readonly [gateway: number, seq: number])[] = [];
  const newConnection = serverOf(
    (seq, gateway) => {
      flushes.push([gateway, seq]);
      if (gateway === 2 || flushes.length < last) return applied(seq);
      if (flushes.length > last) return { outcome: "fenced", last: applied(last) };
      if (losesAnswer) throw new Error("the answer to the flush was lost");
      return applied(seq);
    },
    () => {
      joins += 1;
      if (joins === 2) throw new Error("the answer to the join was lost");
      return joins === 1 ? "1" : "2";
    },
  );
  return { newConnection, flushes };
}

const parts: FlushParts = {
  ...{ unholds: [], holds: [], debits: [], returns: [], usage: [], rateReturns: [] },
  ...{ events: null, operations: new Uint8Array([1]) },
};

test("what follows a flush that was applied before a fence is not taken for that flush", async () => {
  const { newConnection, flushes } = serverThatFences(3, true);
  const [member] = await joined(newConnection);
  while (flushes.length < 2) await member.beat();
  await expect(member.write(1, parts, 0)).rejects.toThrow("the answer to the flush was lost");
  await expect(member.write(1, parts, 0)).rejects.toThrow("the answer to the join was lost");
  await member.write(1, parts, 0);
  await member.write(2, parts, 0);
  expect(flushes.filter(([gateway]) => gateway === 2)).toEqual([[2, 1]]);
});

test("a flush that a fence has kept from being applied is not taken for the gateway's first one", async () => {
  const { newConnection, flushes } = serverThatFences(1, false);
  const member = memberOn(newConnection, new TestLease());
  await member.join();
  await expect.poll(() => flushes).toHaveLength(1);
  await expect(member.write(1, parts, 0)).rejects.toThrow("the answer to the join was lost");
  await member.write(1, parts, 0);
  expect(flushes.filter(([gateway]) => gateway === 2)).toEqual([[2, 1]]);
});

test("a gateway that the store does not know, or not as far as it has come, stops", async () => {
  let known: object | null = null;
  let isSetBack = false;
  let joins = 0;
  const told: string[] = [];
  const newConnection = serverOf(
    (seq, gateway) =>
      isSetBack && gateway === 1 ? { outcome: "fenced", last: known } : applied(seq),
    () => String((joins += 1)),
  );
  const member = memberOn(newConnection, new TestLease(), (why) => told.push(why));
  await member.join();
  await member.beat();
  await member.beat();
  isSetBack = true;
  await expect(member.beat()).rejects.toThrow("up to 0");
  known = applied(1);
  await expect(member.beat()).rejects.toThrow("up to 1");
  expect(told).toHaveLength(2);
});

test("all who ask while the store can't be reached fail together, not one after the other", async () => {
  let isAway = false;
  let connects = 0;
  const server = serverOf((seq) => applied(seq));
  const [member] = await joined(() => ({
    ...server(),
    query: (asked: unknown): Promise<Reply> =>
      isAway ? Promise.reject(new Error("it is away")) : server().query(asked),
    connect: () => {
      if (!isAway) return Promise.resolve();
      connects += 1;
      return new Promise((_, reject) => {
        setTimeout(() => reject(new Error("no answer in time")), 20);
      });
    },
  }));
  isAway = true;
  const asked = Array.from({ length: 100 }, () => member.asking());
  const answers = await Promise.allSettled(asked);
  expect(answers.every(({ status }) => status === "rejected")).toBe(true);
  expect(connects).toBeLessThan(4);
});
