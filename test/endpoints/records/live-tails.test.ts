import { expect, test } from "vitest";
import type { ApiKey } from "../../../src/contract/identity.ts";
import { accept } from "../../../src/contract/outcome.ts";
import type { RecordsCall } from "../../../src/endpoints/records/endpoint.ts";
import { LiveTails } from "../../../src/endpoints/records/live-tails.ts";
import type { TailListener } from "../../../src/store/read-model/read-model.ts";
import { SlowClient } from "../../support/slow-client.ts";

const key = { id: "key_1", role: "operator", orgId: null } as ApiKey;

function call(): RecordsCall {
  return {
    reader: { key, orgId: null, keyId: null },
    query: new URLSearchParams(),
    id: "",
    body: {},
    ask: () => Promise.reject(new Error("a tail asks nothing")),
  };
}

class Client extends SlowClient {
  override readonly head = {
    method: "GET",
    path: "/",
    query: "",
    headers: ["authorization", "Bearer sk-gw-1"] as never[],
  };
}

/** A tail of a client that takes so many writes, then rests. */
async function tail(takes?: number, beatMs?: number) {
  const listeners: TailListener[] = [];
  const stopped = { count: 0 };
  const tails = new LiveTails({
    readModel: {
      tail: (_filter, _from, listener) => {
        listeners.push(listener);
        return accept(() => (stopped.count += 1));
      },
    },
    auditLog: { caughtUp: () => Promise.resolve(), size: 7 },
    checkKey: () => accept(key),
    ...(beatMs === undefined ? {} : { beatMs }),
  });
  const client = new Client(takes);
  const over = tails.open(call(), client, () => undefined);
  await expect.poll(() => client.written.length).toBe(1);
  const [listener] = listeners;
  if (listener === undefined) throw new Error("it does not listen");
  const rows = (first: number, count: number, skipped = 0) =>
    listener.told({
      rows: Array.from({ length: count }, (_, i) => ({ index: first + i, json: `{"i":${i}}` })),
      skipped,
    });
  return { tails, client, over, listener, rows, stopped };
}

const open = 'event: open\ndata: {"index":7}\n\n';
const row = (index: number, i: number) => `id: ${index}\nevent: record\ndata: {"i":${i}}\n\n`;
const skipped = (rows: number) => `event: skipped\ndata: {"rows":${rows}}\n\n`;

test("rows come in one write, and what was not told after them", async () => {
  const { client, rows } = await tail();
  rows(7, 2, 3);
  rows(9, 0, 4);
  expect(client.written).toEqual([open, row(7, 0) + row(8, 1), skipped(3), skipped(4)]);
});

test("nothing waits for a slow client: it is told how much it missed", async () => {
  const { client, rows } = await tail(2);
  rows(7, 1);
  for (let i = 0; i < 1_000; i += 1) rows(8 + i, 1, 1);
  expect(client.written).toEqual([open, row(7, 0)]);
  expect(client.forced).toBe(0);
  client.rested();
  expect(client.written).toEqual([open, row(7, 0), skipped(2_000)]);
});

test("a client that leaves is told nothing more, and the read model neither", async () => {
  const { client, over, stopped } = await tail();
  client.leave();
  expect(await over).toEqual(accept(null));
  expect(stopped.count).toBe(1);
});

test("it ends when the read model's thread does", async () => {
  const { client, over, listener } = await tail();
  listener.ended();
  expect(await over).toEqual(accept(null));
  expect(client.written.at(-1)).toBe('event: end\ndata: {"reason":"unavailable"}\n\n');
});

test("a comment keeps it open", async () => {
  const { client, tails, over } = await tail(Infinity, 1);
  await expect.poll(() => client.written.at(-1)).toBe(": \n\n");
  tails.close();
  await over;
});
