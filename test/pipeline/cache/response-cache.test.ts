import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { cacheSweptPerTurn } from "../../../src/contract/limits.ts";
import { ResponseCache } from "../../../src/pipeline/cache/response-cache.ts";
import { sizeOf, type CachedAnswer } from "../../../src/pipeline/cache/cached-answer.ts";

const opened: ResponseCache[] = [];
afterEach(() => {
  for (const cache of opened.splice(0)) cache.close();
});

function open(options: { bytesMax?: number; entriesMax?: number } = {}) {
  const clock = { nowMs: 0 };
  const cache = new ResponseCache({ bytesMax: 100_000, ...options, nowMs: () => clock.nowMs });
  opened.push(cache);
  const key = (orgId: string, body: string) =>
    cache.keyOf(orgId, ["subject"], Buffer.from(JSON.stringify(body)));
  return {
    cache,
    clock,
    put: (orgId: string, body: string, answer: CachedAnswer, ttlMs = 1_000): void =>
      cache.put(key(orgId, body), { answer, provider: "p" }, ttlMs),
    find: (orgId: string, body: string, ttlMs = 1_000): string | undefined =>
      cache.find(key(orgId, body), ttlMs)?.answer.body.toString(),
  };
}

/** An answer that counts so many bytes. */
function sized(text: string, bytes: number): CachedAnswer {
  const empty: CachedAnswer = { headers: [], body: Buffer.alloc(0), eventEnds: null };
  return { ...empty, body: Buffer.from(text.padEnd(bytes - sizeOf(empty))) };
}

const answer = (text: string): CachedAnswer => ({
  headers: [],
  body: Buffer.from(text),
  eventEnds: null,
});

describe("the response cache", () => {
  it("finds an answer for the same organization, subject and body only", () => {
    const { cache, put, find } = open();
    put("a", "x", answer("1"));
    expect(find("a", "x")).toBe("1");
    expect(find("b", "x")).toBeUndefined();
    expect(find("a", "y")).toBeUndefined();
    const other = cache.keyOf("a", ["subject", null], Buffer.from('"x"'));
    expect(cache.find(other, 1_000)).toBeUndefined();
  });

  it("has no key that another process would have, nor one that shows the request", () => {
    const [one, other] = [open().cache, open().cache];
    const [mine, theirs] = [one, other].map((cache) => cache.keyOf("a", [], Buffer.from('"x"')));
    expect(mine?.digest).not.toBe(theirs?.digest);
    expect(mine?.digest).toHaveLength(44);
  });

  it("forgets an answer when its time is over, whether it is asked for or not", () => {
    const { cache, clock, put, find } = open();
    put("a", "x", answer("1"), 1_000);
    put("a", "y", answer("2"), 2_000);
    clock.nowMs = 999;
    expect(find("a", "x")).toBe("1");
    clock.nowMs = 1_000;
    expect(find("a", "x")).toBeUndefined();
    expect(cache.size).toBe(1);
    clock.nowMs = 2_000;
    cache.sweep();
    expect([cache.size, cache.bytes]).toEqual([0, 0]);
  });

  it("forgets many whose time is over in several turns", async () => {
    const count = 2 * cacheSweptPerTurn + 1;
    const { cache, clock, put } = open({ bytesMax: 1e9 });
    for (let i = 0; i < count; i += 1) put(`${i % 100}`, `${i}`, answer("1"), 1_000);
    clock.nowMs = 1_000;
    cache.sweep();
    expect(cache.size).toBe(count - cacheSweptPerTurn);
    await expect.poll(() => cache.size).toBe(0);
  });

  it("gives nobody an answer that is older than what they ask for", () => {
    const { clock, put, find } = open();
    put("a", "x", answer("1"), 10_000);
    clock.nowMs = 5_000;
    expect(find("a", "x", 5_000)).toBeUndefined();
    expect(find("a", "x", 5_001)).toBe("1");
    put("a", "x", answer("2"), 10_000);
    expect(find("a", "x", 1)).toBe("2");
  });

  it("makes room by what was not used for longest", () => {
    const { put, find } = open({ entriesMax: 3 });
    for (const body of ["x", "y", "z"]) put("a", body, answer(body));
    expect(find("a", "x")).toBe("x");
    put("a", "w", answer("w"));
    expect(["x", "y", "z", "w"].filter((body) => find("a", body) !== undefined)).toEqual([
      "x",
      "z",
      "w",
    ]);
  });

  it("lets an organization take half, of its own room first", () => {
    const { cache, put, find } = open({ bytesMax: 10_000 });
    put("b", "x", sized("b", 1_000));
    // No multiple of what fits: an account that only grew would start anew with each of those.
    for (let i = 0; i < 18; i++) put("a", String(i), sized(String(i), 1_000));
    expect(find("b", "x")?.trim()).toBe("b");
    expect(cache.bytes).toBe(6_000);
    expect(find("a", "12")).toBeUndefined();
    expect(find("a", "13")?.trim()).toBe("13");
    put("a", "large", sized("large", 5_001));
    expect(find("a", "large")).toBeUndefined();
    expect(cache.bytes).toBe(6_000);
  });

  it("makes an organization's room by what that has not used for longest", () => {
    const { put, find } = open({ bytesMax: 6_000 });
    for (const body of ["x", "y", "z"]) put("a", body, sized(body, 1_000));
    expect(find("a", "x")?.trim()).toBe("x");
    put("a", "w", sized("w", 1_000));
    const kept = ["x", "y", "z", "w"].filter((body) => find("a", body) !== undefined);
    expect(kept).toEqual(["x", "z", "w"]);
  });

  it("drops the old answer where the new one is too large", () => {
    const { put, find } = open({ bytesMax: 10_000 });
    put("a", "x", answer("old"));
    put("a", "x", sized("new", 9_000));
    expect(find("a", "x")).toBeUndefined();
  });

  it("forgets one organization", () => {
    const { cache, put, find } = open();
    for (const orgId of ["a", "b"]) for (const body of ["x", "y"]) put(orgId, body, answer(body));
    cache.forget("a");
    cache.forget("none");
    expect([find("a", "x"), find("a", "y"), find("b", "x")]).toEqual([undefined, undefined, "x"]);
    expect(cache.size).toBe(2);
  });

  it("gives streams on their way a part of its bytes", () => {
    const { cache } = open({ bytesMax: 1_000 });
    expect(cache.takeWatchRoom(200)).toBe(true);
    expect(cache.takeWatchRoom(51)).toBe(false);
    expect(cache.takeWatchRoom(50)).toBe(true);
    cache.giveWatchRoom(200);
    expect(cache.takeWatchRoom(200)).toBe(true);
  });

  it("keeps its bounds, whatever happens, and never mixes answers up", () => {
    const step = fc.record({
      orgId: fc.constantFrom("a", "b", "c"),
      body: fc.constantFrom("u", "v", "w", "x", "y", "z"),
      bytes: fc.integer({ min: 600, max: 4_000 }),
      what: fc.constantFrom("put", "put", "find", "forget", "sweep"),
      waitMs: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { cache, clock, put, find } = open({ bytesMax: 12_000, entriesMax: 6 });
        const buffered = new Map<string, { text: string; bytes: number; endsAtMs: number }>();
        for (const [i, { orgId, body, bytes, what, waitMs }] of steps.entries()) {
          clock.nowMs += waitMs;
          const name = `${orgId} ${body}`;
          if (what === "put") {
            const text = `${name} ${i} `;
            put(orgId, body, sized(text, bytes));
            buffered.set(name, { text, bytes, endsAtMs: clock.nowMs + 1_000 });
          } else if (what === "find") {
            const found = find(orgId, body);
            const known = buffered.get(name);
            if (found !== undefined) {
              expect(found.trimEnd()).toBe(known?.text.trimEnd());
              expect(clock.nowMs).toBeLessThan(known?.endsAtMs ?? 0);
            }
          } else if (what === "forget") cache.forget(orgId);
          else cache.sweep();
          expect(cache.bytes).toBeLessThanOrEqual(12_000);
          expect(cache.size).toBeLessThanOrEqual(6);
        }
        for (const orgId of ["a", "b", "c"]) cache.forget(orgId);
        expect([cache.bytes, cache.size]).toEqual([0, 0]);
      }),
    );
  });
});
