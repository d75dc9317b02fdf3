import { expect, test } from "vitest";
import { zstdCompressSync } from "node:zlib";
import { refuse } from "../../../src/contract/errors.ts";
import type { Queryable } from "../../../src/store/shared/call-function.ts";
import { Follower } from "../../../src/store/shared/follower.ts";
import { columnsOf, Replication, type ConfigRow } from "../../../src/store/shared/replication.ts";
import { GatewayCopy } from "../../sim/cluster/gateway-copy.ts";

type Reply = Awaited<ReturnType<Queryable["query"]>>;

/** A store whose log has runs of one event each, given one at a time. */
class OneByOne implements Queryable {
  events: readonly string[] = [];
  readonly changes: ConfigRow[] = [];
  /** Called before a run is given. */
  gives: (place: number) => void = () => undefined;

  query({ name, values }: Parameters<Queryable["query"]>[0]): Promise<Reply> {
    const after = Number(values[0] ?? 0);
    const runs = this.events.length;
    const replies: Readonly<Record<string, () => readonly object[]>> = {
      changes_after: () => {
        const changes = this.changes.map((row, i) => [i + 1, ...columnsOf([row])] as const);
        return [{ reply: { seq: changes.length, changes: changes.slice(after) } }];
      },
      log_head: () => [{ reply: { runs, size: runs, waiting: false } }],
      runs_after: () => {
        this.gives(after + 1);
        const lines = zstdCompressSync(this.events[after] ?? "");
        return [
          { place: `${after + 1}`, first: `${after}`, n: 1, lines, made: null, operations: null },
        ];
      },
    };
    return Promise.resolve({ rows: replies[name]?.() ?? [] } as Reply);
  }
}

function following(store: OneByOne, replica: GatewayCopy) {
  const wentBack: string[] = [];
  const changed: number[] = [];
  const stuck: number[] = [];
  const trouble: string[] = [];
  const replication = new Replication(store);
  const follower = new Follower({
    ...{ replica, replication, functions: { sequenceRuns: () => Promise.resolve(0) } },
    changed: (seq) => changed.push(seq),
    stuck: (newest) => stuck.push(newest),
    progress: () => undefined,
    trouble: ({ message }) => trouble.push(message),
    wentBack: (why) => wentBack.push(why),
  });
  return { follower, wentBack, changed, stuck, trouble };
}

test("changes of the configuration don't wait until a copy has the whole log", async () => {
  const store = new OneByOne();
  store.events = ["a", "b", "c", "d"];
  const replica = new GatewayCopy();
  const { follower, changed } = following(store, replica);
  const before: number[] = [];
  store.gives = (place) => {
    before.push(changed.length);
    if (place === 2) store.changes.push(["keys", '"k"', null]);
  };
  await follower.catchUp();
  expect(replica.events).toEqual(store.events);
  expect(before).toEqual([0, 0, 1, 1]);
});

test("a copy that has other events than the store in as many runs stops its gateway", async () => {
  const store = new OneByOne();
  const replica = new GatewayCopy();
  const { follower, wentBack } = following(store, replica);
  replica.events.push("a", "b");
  replica.runs = 1;
  // The store was set back, and others have written since.
  store.events = ["c"];
  await expect(follower.catchUp()).rejects.toThrow("went back in time");
  store.events = ["c", "d"];
  await expect(follower.catchUp()).rejects.toThrow("went back in time");
  expect(wentBack).toHaveLength(2);
});

test("a copy that can't be written is told of", async () => {
  const store = new OneByOne();
  store.events = ["a"];
  const replica = new GatewayCopy();
  replica.applyRuns = () => Promise.resolve(refuse("internal_error", "no room"));
  const { follower, trouble } = following(store, replica);
  follower.start();
  await expect.poll(() => trouble).toContain("no room");
  await follower.close();
});

test("a change that a copy can't take in is told, with the newest one", async () => {
  const store = new OneByOne();
  store.changes.push(["keys", '"a"', null], ["keys", '"b"', null]);
  const replica = new GatewayCopy();
  const { follower, changed, stuck } = following(store, replica);
  let hasRoom = false;
  const apply = replica.applyChange.bind(replica);
  replica.applyChange = (...change) =>
    hasRoom ? apply(...change) : Promise.resolve(refuse("internal_error", "no room"));
  expect(await follower.catchUp()).toMatchObject({ ok: false });
  expect([stuck, changed]).toEqual([[2], []]);
  hasRoom = true;
  expect(await follower.catchUp()).toMatchObject({ ok: true });
  expect([stuck, changed]).toEqual([[2], [1, 2]]);
});
