import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bodyBytesShared } from "../../src/contract/limits.ts";
import { refuse } from "../../src/contract/errors.ts";
import { BodyIntake } from "../../src/proxy/body.ts";
import { ByteBudget } from "../../src/proxy/byte-budget.ts";
import type { Framing } from "../../src/proxy/framing.ts";

const mib = 1024 * 1024;

function flow(): { pause: () => void; resume: () => void; events: string[] } {
  const events: string[] = [];
  return { events, pause: () => events.push("pause"), resume: () => events.push("resume") };
}

function intake(framing: Framing, bytesMax = mib, budget = new ByteBudget(16 * mib)): BodyIntake {
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

  test("what came before it was asked for is there, where it was held", async () => {
    const bytes = random(30_000);
    const body = intake({ length: bytes.length, encoding: null });
    body.hold();
    feed(body, bytes.subarray(0, 20_000), false);
    const taken = body.take(null);
    feed(body, bytes.subarray(20_000), true);
    const outcome = await taken;
    expect(outcome.ok && Buffer.compare(outcome.value, bytes)).toBe(0);

    const whole = intake({ length: 3, encoding: null });
    whole.hold();
    feed(whole, Buffer.from("123"), true);
    expect(await whole.take(null)).toEqual({ ok: true, value: Buffer.from("123") });
  });

  test("a client that left while its body was held is not waited for", async () => {
    const body = intake({ length: 10, encoding: null });
    body.hold();
    feed(body, Buffer.from("123"), false);
    body.abandon();
    expect(await body.take(null)).toMatchObject({ refusal: { code: "invalid_request" } });
  });

  test.each([
    [65_536, true],
    [65_537, false],
    ["chunked", false],
  ] as const)("a body of %s bytes may be held: %s", (length, isHoldable) => {
    expect(intake({ length, encoding: null }).isHoldable).toBe(isHoldable);
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
    const socket = flow();
    const second = new BodyIntake({ length: 100_000, encoding: null }, mib, budget, socket);
    const taken = second.take(null);
    expect(socket.events).toEqual(["pause"]);
    first.release();
    expect(socket.events).toEqual(["pause", "resume"]);
    feed(second, random(100_000), true);
    expect((await taken).ok).toBe(true);
    second.release();
    expect(budget.usedBytes).toBe(0);
  });

  test("one that waits too long is answered 503 and may come again", async () => {
    const budget = new ByteBudget(mib, 10, 10);
    budget.tryReserve(mib);
    const body = intake({ length: 100_000, encoding: null }, mib, budget);
    expect(await body.take(null)).toMatchObject({
      ok: false,
      refusal: { code: "detector_unavailable", retryAfterSeconds: 1 },
    });
  });

  test("a client that leaves gives its place up", async () => {
    const budget = new ByteBudget(mib);
    budget.tryReserve(mib);
    const body = intake({ length: 100_000, encoding: null }, mib, budget);
    const taken = body.take(null);
    body.release();
    expect((await taken).ok).toBe(false);
    budget.release(mib);
    expect(budget.usedBytes).toBe(0);
  });
});
