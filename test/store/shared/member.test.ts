import { expect, onTestFinished, test } from "vitest";
import { Lease, type LeaseMoment } from "../../../src/store/shared/lease.ts";
import type { Connection } from "../../../src/store/shared/link.ts";
import { Member } from "../../../src/store/shared/member.ts";

/** A lease with the clock of the test. */
class TestLease extends Lease {
  ms = 0;
  readonly renewals: number[] = [];

  override now(): LeaseMoment {
    return { monotonicMs: this.ms, wallMs: this.ms };
  }

  override renewed({ monotonicMs }: LeaseMoment): void {
    this.renewals.push(monotonicMs);
  }
}

type Reply = Awaited<ReturnType<Connection["query"]>>;

/** A server that knows one gateway. `answer` decides about each flush: its reply, or what breaks the connection. */
function serverOf(answer: (seq: number) => object): () => Connection {
  const query = (asked: unknown): Promise<Reply> => {
    const { name, values } = asked as { readonly name: string; readonly values: readonly number[] };
    const replies: Readonly<Record<string, () => unknown>> = {
      join_cluster: () => "1",
      flush: () => answer(Number(values[1])),
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

async function joined(newConnection: () => Connection): Promise<[Member, TestLease]> {
  const lease = new TestLease();
  const nothing = (): void => undefined;
  const member: Member = new Member({
    ...{ url: "", name: "a", release: "1", configHash: "", lease, newConnection },
    ...{ applied: nothing, lateGrant: nothing, lateLimits: nothing, lost: nothing },
    ...{ rejoined: nothing, wentBack: nothing, trouble: nothing },
  });
  onTestFinished(() => member.leave());
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
      return { outcome: "fenced", last: null };
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
