import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bodyBytesLookedAtPerTurn, bodyBytesShared } from "../../../src/contract/limits.ts";
import { refuse } from "../../../src/contract/errors.ts";
import { BodyIntake } from "../../../src/proxy/listener/body.ts";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";
import type { BodyFraming } from "../../../src/proxy/listener/framing.ts";

const mib = 1024 * 1024;

function flow(): { pause: () => void; resume: () => void; events: string[] } {
  const events: string[] = [];
  return { events, pause: () => events.push("pause"), resume: () => events.push("resume") };
}

function intake(
  framing: BodyFraming,
  bytesMax = mib,
  budget = new ByteBudget(16 * mib),
): BodyIntake {
  return new BodyIntake(framing, bytesMax, budget, flow());
}

/** A copy whose memory is wiped afterwards, as uWS detaches its chunks. */
function feed(body: BodyIntake, bytes: Uint8Array, last: boolean): void {
  const chunk = Uint8Array.from(bytes);
  body.chunk(chunk.buffer, last);
  chunk.fill(0);
}

function random(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, i) => (i * 131 + (i >> 8)) & 0xff));
}

describe("identity bodies", () => {
  test.each([0, 1, 1000, bodyBytesShared - 1, bodyBytesShared, 700_001])(
    "%i bytes with a length",
    async (length) => {
      const bytes = random(length);
      const body = intake({ length, encoding: null });
      const taken = body.take(null);
      for (let at = 0; at < length; at += 65_536) {
        feed(body, bytes.subarray(at, at + 65_536), at + 65_536 >= length);
      }
      const outcome = await taken;
      if (!outcome.ok) throw new Error(outcome.refusal.code);
      expect(Buffer.compare(outcome.value, bytes)).toBe(0);
      expect(outcome.value.buffer instanceof SharedArrayBuffer).toBe(length >= bodyBytesShared);
    },
  );

  test("chunked, in odd pieces", async () => {
    const bytes = random(300_000);
    const body = intake({ length: "chunked", encoding: null });
    const taken = body.take(null);
    for (let at = 0, step = 1; at < bytes.length; at += step, step = step * 2 + 1) {
      feed(body, bytes.subarray(at, at + step), false);
    }
    feed(body, new Uint8Array(0), true);
    const outcome = await taken;
    expect(outcome.ok && Buffer.compare(outcome.value, bytes)).toBe(0);
  });

  test("what came before it was asked for is there, where it was buffered", async () => {
    const bytes = random(30_000);
    const body = intake({ length: bytes.length, encoding: null });
    body.keepAll();
    feed(body, bytes.subarray(0, 20_000), false);
    const taken = body.take(null);
    feed(body, bytes.subarray(20_000), true);
    const outcome = await taken;
    expect(outcome.ok && Buffer.compare(outcome.value, bytes)).toBe(0);

    const whole = intake({ length: 3, encoding: null });
    whole.keepAll();
    feed(whole, Buffer.from("123"), true);
    expect(await whole.take(null)).toEqual({ ok: true, value: Buffer.from("123") });
  });

  test("the socket is paused while more is kept than needs no reservation", async () => {
    const bytes = random(300_000);
    const socket = flow();
    const body = new BodyIntake(
      { length: bytes.length, encoding: null },
      mib,
      new ByteBudget(16 * mib),
      socket,
    );
    body.keepAll();
    feed(body, bytes.subarray(0, 65_536), false);
    expect(socket.events).toEqual([]);
    feed(body, bytes.subarray(65_536, 100_000), false);
    // What had been read before still comes.
    feed(body, bytes.subarray(100_000, 200_000), false);
    expect(socket.events).toEqual(["pause"]);
    body.endKeeping();
    expect(socket.events).toEqual(["pause", "resume"]);
    const taken = body.take(null);
    feed(body, bytes.subarray(200_000), true);
    const outcome = await taken;
    expect(outcome.ok && Buffer.compare(outcome.value, bytes)).toBe(0);
  });

  test("what nobody asked for is not kept once the time for it is over", async () => {
    const body = intake({ length: 100_000, encoding: null });
    body.keepAll();
    body.endKeeping();
    feed(body, random(70_000), false);
    expect(await body.take(null)).toMatchObject({ refusal: { code: "invalid_request" } });
  });

  test("a client that left while its body was buffered is not waited for", async () => {
    const body = intake({ length: 10, encoding: null });
    body.keepAll();
    feed(body, Buffer.from("123"), false);
    body.abandon();
    expect(await body.take(null)).toMatchObject({ refusal: { code: "invalid_request" } });
  });

  test.each([
    [65_536, true],
    [65_537, false],
    ["chunked", false],
  ] as const)("a body of %s bytes may be buffered: %s", (length, isKeepable) => {
    expect(intake({ length, encoding: null }).isKeepable).toBe(isKeepable);
  });

  test("the observer sees every byte once it is there, and may refuse", async () => {
    const seen: number[] = [];
    const body = intake({ length: 10, encoding: null });
    const taken = body.take({
      grown: (_bytes, length) => {
        seen.push(length);
        return length < 6 ? undefined : refuse("invalid_request", "no").refusal;
      },
    });
    feed(body, Buffer.from("123"), false);
    feed(body, Buffer.from("456"), false);
    feed(body, Buffer.from("7890"), true);
    expect(await taken).toMatchObject({ ok: false, refusal: { message: "no" } });
    expect(seen).toEqual([3, 6]);
  });
});

describe("over the cap", () => {
  test("a length over it is refused before a byte", async () => {
    const outcome = await intake({ length: mib + 1, encoding: null }).take(null);
    expect(outcome).toMatchObject({
      ok: false,
      refusal: { code: "request_too_large", details: { limit: mib } },
    });
  });

  test("chunked is refused with the first byte over it, exactly at it accepted", async () => {
    const over = intake({ length: "chunked", encoding: null }, 100);
    const refused = over.take(null);
    feed(over, random(100), false);
    feed(over, random(1), false);
    expect(await refused).toMatchObject({ ok: false, refusal: { code: "request_too_large" } });
    const exact = intake({ length: "chunked", encoding: null }, 100);
    const taken = exact.take(null);
    feed(exact, random(100), true);
    expect((await taken).ok).toBe(true);
  });

  test("a small compressed body that decodes beyond it", async () => {
    const bomb = gzipSync(Buffer.alloc(4 * mib));
    const body = intake({ length: bomb.length, encoding: "gzip" });
    const taken = body.take(null);
    feed(body, bomb, true);
    expect(await taken).toMatchObject({ ok: false, refusal: { code: "request_too_large" } });
  });
});

describe("compressed bodies", () => {
  const bytes = random(200_000);
  test.each([
    ["gzip", gzipSync(bytes)],
    ["br", brotliCompressSync(bytes)],
    ["zstd", zstdCompressSync(bytes)],
    ["deflate", deflateSync(bytes)],
  ] as const)("%s", async (encoding, encoded) => {
    const body = intake({ length: encoded.length, encoding });
    const taken = body.take(null);
    feed(body, encoded.subarray(0, 1000), false);
    feed(body, encoded.subarray(1000), true);
    const outcome = await taken;
    expect(outcome.ok && Buffer.compare(outcome.value, bytes)).toBe(0);
  });

  test.each(["gzip", "br", "zstd", "deflate"] as const)("garbage as %s", async (encoding) => {
    const body = intake({ length: 10, encoding });
    const taken = body.take(null);
    feed(body, Buffer.from("not at all"), true);
    expect(await taken).toMatchObject({ ok: false, refusal: { code: "invalid_request" } });
  });

  test("a truncated one", async () => {
    const encoded = gzipSync(bytes).subarray(0, -20);
    const body = intake({ length: encoded.length, encoding: "gzip" });
    const taken = body.take(null);
    feed(body, encoded, true);
    expect(await taken).toMatchObject({ ok: false, refusal: { code: "invalid_request" } });
  });
});

describe("the budget", () => {
  test("a large body waits, paused, and goes on when another is released", async () => {
    const budget = new ByteBudget(mib);
    const first = intake({ length: mib, encoding: null }, mib, budget);
    void first.take(null);
    feed(first, random(65_537), false);
    const socket = flow();
    const second = new BodyIntake({ length: 100_000, encoding: null }, mib, budget, socket);
    const taken = second.take(null);
    feed(second, random(65_536), false);
    expect(socket.events).toEqual([]);
    feed(second, random(1), false);
    expect(socket.events).toEqual(["pause"]);
    first.release();
    expect(socket.events).toEqual(["pause", "resume"]);
    feed(second, random(100_000 - 65_537), true);
    expect((await taken).ok).toBe(true);
    second.release();
    expect(budget.usedBytes).toBe(0);
  });

  test("one that waits too long is answered 503 and may come again", async () => {
    const budget = new ByteBudget(mib, 10, 10);
    budget.tryReserve(mib);
    const body = intake({ length: 100_000, encoding: null }, mib, budget);
    const taken = body.take(null);
    feed(body, random(100_000), true);
    expect(await taken).toMatchObject({
      ok: false,
      refusal: { code: "detector_unavailable", retryAfterSeconds: 1 },
    });
  });

  test("a client that leaves gives its place up", async () => {
    const budget = new ByteBudget(mib);
    budget.tryReserve(mib);
    const body = intake({ length: 100_000, encoding: null }, mib, budget);
    const taken = body.take(null);
    feed(body, random(70_000), false);
    body.release();
    expect((await taken).ok).toBe(false);
    budget.release(mib);
    expect(budget.usedBytes).toBe(0);
  });

  test.each<[string, BodyFraming, Uint8Array]>([
    ["chunked", { length: "chunked", encoding: null }, random(65_536)],
    ["compressed", { length: 70, encoding: "gzip" }, gzipSync(Buffer.alloc(65_536))],
    ["with a length, of which little has come", { length: mib, encoding: null }, random(65_536)],
  ])("64 KiB need no reservation: %s", async (_name, framing, bytes) => {
    const budget = new ByteBudget(16 * mib);
    const body = intake(framing, mib, budget);
    const grown: number[] = [];
    void body.take({
      grown: (_bytes, length) => {
        grown.push(length);
        return undefined;
      },
    });
    feed(body, bytes, false);
    await expect.poll(() => grown.at(-1)).toBe(65_536);
    expect(budget.usedBytes).toBe(0);
  });

  test.each<[string, BodyFraming, Uint8Array, number]>([
    ["chunked", { length: "chunked", encoding: null }, random(70_000), 70_000],
    ["compressed", { length: 99, encoding: "gzip" }, gzipSync(Buffer.alloc(70_000)), 131_072],
    ["small and chunked", { length: "chunked", encoding: null }, random(100), 0],
    ["small and compressed", { length: 99, encoding: "gzip" }, gzipSync("small"), 0],
  ])("a whole body keeps reserved what it holds: %s", async (_name, framing, bytes, buffered) => {
    const budget = new ByteBudget(16 * mib);
    const body = intake(framing, mib, budget);
    const taken = body.take(null);
    feed(body, bytes, true);
    expect((await taken).ok).toBe(true);
    expect(budget.usedBytes).toBe(buffered);
    body.release();
    expect(budget.usedBytes).toBe(0);
  });

  test("a body that was refused keeps nothing", async () => {
    const budget = new ByteBudget(16 * mib);
    const body = intake({ length: "chunked", encoding: null }, mib, budget);
    const taken = body.take(null);
    feed(body, random(100_000), false);
    expect(budget.usedBytes).toBe(mib);
    feed(body, random(mib), false);
    expect((await taken).ok).toBe(false);
    expect(budget.usedBytes).toBe(0);
  });

  test.each<[string, BodyFraming, Uint8Array]>([
    ["whole", { length: 100_000, encoding: null }, random(100_000)],
    ["compressed", { length: 99, encoding: "gzip" }, gzipSync(random(900_000))],
  ])("no way around the wait: %s", async (_name, framing, bytes) => {
    const budget = new ByteBudget(mib);
    budget.tryReserve(mib);
    const body = intake(framing, mib, budget);
    const events: string[] = [];
    let grown = 0;
    const observer = { grown: (_bytes: Uint8Array, length: number) => void (grown = length) };
    const taken = body.take(observer).then(({ ok }) => events.push(ok ? "taken" : "refused"));
    feed(body, bytes, true);
    await expect.poll(() => grown).toBeGreaterThan(65_536);
    await new Promise((resolve) => setImmediate(resolve));
    expect(grown).toBeLessThanOrEqual(100_000);
    events.push("released");
    budget.release(mib);
    await taken;
    expect(events).toEqual(["released", "taken"]);
  });
});

describe("what a turn of the loop looks at", () => {
  const large = 4 * mib;
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  /** Takes bodies whose bytes all come in one turn; how far each turn's looks went in all of them. */
  async function lookedAt(bodies: number, refuseAt = Infinity) {
    const bytes = random(64 * 1024);
    const budget = new ByteBudget(64 * mib);
    const socket = flow();
    const turns: number[] = [0];
    const observe = () => {
      let seen = 0;
      return {
        grown: (_: Uint8Array, length: number) => {
          turns.push((turns.pop() ?? 0) + length - seen);
          seen = length;
          return length >= refuseAt ? refusal : undefined;
        },
      };
    };
    const intakes = Array.from({ length: bodies }, () => {
      const body = new BodyIntake({ length: large, encoding: null }, large, budget, socket);
      return { body, taken: body.take(observe()) };
    });
    // The share of the turn before is over.
    await turn();
    for (const { body } of intakes) {
      for (let at = 0; at < large; at += bytes.length) {
        feed(body, bytes, at + bytes.length === large);
      }
    }
    let settled = false;
    const all = Promise.all(intakes.map(({ taken }) => taken)).then((outcomes) => {
      settled = true;
      return outcomes;
    });
    for (; !settled; turns.push(0)) await turn();
    return { turns, socket, outcomes: await all };
  }

  const refusal = { code: "invalid_request", message: "not JSON" } as const;

  test.each([1, 3])("of %i large bodies that come at once it is a share", async (bodies) => {
    const { turns, socket, outcomes } = await lookedAt(bodies);
    expect(outcomes.map((outcome) => outcome.ok && outcome.value.length)).toEqual(
      Array.from({ length: bodies }, () => large),
    );
    // What comes in a turn, and what is left over from the one before.
    expect(Math.max(...turns)).toBeLessThanOrEqual(2 * bodyBytesLookedAtPerTurn);
    expect(turns.reduce((sum, looked) => sum + looked)).toBe(bodies * large);
    expect(socket.events.filter((event) => event === "pause")).toHaveLength(bodies);
    expect(socket.events.filter((event) => event === "resume")).toHaveLength(bodies);
  });

  test("what is refused is not looked at any further", async () => {
    const { turns, outcomes, socket } = await lookedAt(1, mib);
    expect(outcomes).toEqual([{ ok: false, refusal }]);
    expect(turns.reduce((sum, looked) => sum + looked)).toBe(mib);
    expect(socket.events.at(-1)).toBe("resume");
  });
});
