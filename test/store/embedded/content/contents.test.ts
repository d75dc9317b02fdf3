import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { contentReapMs, contentRowsPerWrite } from "../../../../src/contract/limits.ts";
import {
  decodeContent,
  packContent,
  unpackContent,
  type Content,
  type KeptBody,
} from "../../../../src/store/embedded/content/content-rows.ts";
import { Contents, type ContentsOptions } from "../../../../src/store/embedded/content/contents.ts";
import { ByteWriter } from "../../../../src/runtime/packed-bytes.ts";
import { WriteHalt } from "../../../../src/store/embedded/write-halt.ts";
import { ChildProgram } from "../../child-program.ts";
import { temporaryDirectory, valueOf } from "../../temporary-store.ts";

const dayMs = 24 * 3_600_000;
const today = Date.parse("2026-06-01T00:00:00Z");

interface Opened {
  readonly contents: Contents;
  readonly clock: { now: number };
  readonly days: Map<string, number>;
}

function openContents(dataDir: string, more: Partial<ContentsOptions> = {}): Opened {
  const clock = { now: today };
  const days = new Map<string, number>();
  const contents = new Contents({
    dataDir,
    retentions: () => days,
    retentionDays: (orgId) => days.get(orgId) ?? null,
    onFailure: (error) => {
      throw error;
    },
    clock: { wallMs: () => clock.now, monotonicMs: () => 0 },
    ...more,
  });
  onTestFinished(() => contents.close());
  return { contents, clock, days };
}

function content(text: string): Content {
  const bytes = Buffer.from(text);
  return { request: { bytes, length: bytes.length }, response: null, salt: null };
}

function textIn(found: Content | null): string | null {
  return found?.request ? Buffer.from(found.request.bytes).toString() : null;
}

const body = fc.option(
  fc.uint8Array({ maxLength: 50 }).map((bytes): KeptBody => ({ bytes, length: bytes.length + 7 })),
);
const anyContent = fc.record({
  request: body,
  response: body,
  salt: fc.option(fc.constantFrom("", "0f", "0".repeat(32))),
});

test("content is read as it was written", () => {
  const packed = new ByteWriter();
  fc.assert(
    fc.property(anyContent, (one) => {
      packed.clear();
      packContent(packed, "größer", "r-1", 1.5, one);
      const { value, ...row } = unpackContent(packed.written);
      expect(row).toEqual({ orgId: "größer", requestId: "r-1", createdAtMs: 1.5 });
      const { request, response, salt } = decodeContent(value);
      expect(salt).toBe(one.salt);
      for (const [read, written] of [
        [request, one.request],
        [response, one.response],
      ] as const) {
        expect(read?.length).toBe(written?.length);
        expect(Buffer.from(read?.bytes ?? [])).toEqual(Buffer.from(written?.bytes ?? []));
      }
    }),
  );
});

test("it is there after a restart, and each organization has its own", async () => {
  const dataDir = temporaryDirectory();
  const before = openContents(dataDir);
  before.contents.keep("a", "r", content("of a"));
  before.contents.keep("b", "r", content("of b"));
  await before.contents.close();
  const { contents } = openContents(dataDir);
  expect(["a", "b", "c"].map((orgId) => textIn(contents.read(orgId, "r")))).toEqual([
    "of a",
    "of b",
    null,
  ]);
});

test("its time is over to the millisecond, reaped or not, by the days of now", async () => {
  const { contents, clock, days } = openContents(temporaryDirectory());
  days.set("short", 2);
  for (const orgId of ["short", "default"]) contents.keep(orgId, "r", content(orgId));
  await contents.flush();
  const readable = () => ["short", "default"].map((id) => contents.read(id, "r") !== null);
  clock.now = today + 2 * dayMs;
  expect(readable()).toEqual([true, true]);
  clock.now += 1;
  expect(readable()).toEqual([false, true]);
  days.set("short", 3);
  expect(readable()).toEqual([true, true]);
  clock.now = today + 90 * dayMs + 1;
  expect(readable()).toEqual([false, false]);
});

test("the reaper removes what is over, and no more, in any number of rows", async () => {
  const { contents, clock, days } = openContents(temporaryDirectory());
  days.set("short", 2);
  const many = 2 * contentRowsPerWrite + 3;
  for (let i = 0; i < many; i += 1) contents.keep("short", `old ${i}`, content("x"));
  contents.keep("default", "old", content("y"));
  await contents.flush();
  clock.now = today + 2 * dayMs;
  contents.keep("short", "new", content("z"));
  await contents.flush();
  expect(valueOf(await contents.reap())).toBe(0);
  clock.now += 1;
  expect(valueOf(await contents.reap())).toBe(many);
  expect(valueOf(await contents.reap())).toBe(0);
  // Days that grow bring nothing back.
  days.set("short", 1_000);
  expect(textIn(contents.read("short", "old 0"))).toBeNull();
  expect(textIn(contents.read("short", "new"))).toBe("z");
  expect(textIn(contents.read("default", "old"))).toBe("y");
});

test("erasing takes what is on its way, and leaves other organizations alone", async () => {
  const { contents } = openContents(temporaryDirectory());
  for (const orgId of ["a", "ab", "b"]) {
    contents.keep(orgId, "1", content(orgId));
    contents.keep(orgId, "2", content(orgId));
  }
  expect(valueOf(await contents.erase("a", "1"))).toBe(1);
  expect(valueOf(await contents.erase("a", "1"))).toBe(0);
  expect(textIn(contents.read("a", "2"))).toBe("a");
  expect(valueOf(await contents.eraseOrganization("a"))).toBe(1);
  expect(textIn(contents.read("a", "2"))).toBeNull();
  for (const orgId of ["ab", "b"]) expect(textIn(contents.read(orgId, "1"))).toBe(orgId);
});

test("erasing takes what was kept while the clock was ahead", async () => {
  const { contents, clock } = openContents(temporaryDirectory());
  clock.now = today + 2 * dayMs;
  contents.keep("a", "1", content("a"));
  clock.now = today;
  expect(valueOf(await contents.eraseOrganization("a"))).toBe(1);
  expect(textIn(contents.read("a", "1"))).toBeNull();
});

test("where too much waits, content is dropped and counted", async () => {
  const { contents } = openContents(temporaryDirectory(), { pendingBytesMax: 1_024 });
  for (let i = 0; i < 20; i += 1) contents.keep("a", String(i), content("x".repeat(100)));
  expect(contents.pendingBytes).toBeLessThanOrEqual(1_024);
  const { dropped } = contents;
  expect(dropped).toBeGreaterThan(10);
  await contents.flush();
  expect(contents.pendingBytes).toBe(0);
  contents.keep("a", "later", content("later"));
  await contents.flush();
  expect([contents.dropped, textIn(contents.read("a", "later"))]).toEqual([dropped, "later"]);
  expect(textIn(contents.read("a", "19"))).toBeNull();
});

test("content that can't be written is dropped and counted, and gives its room back", async () => {
  const halt = new WriteHalt();
  const { contents } = openContents(temporaryDirectory(), { halt });
  contents.keep("a", "1", content("a"));
  contents.keep("a", "2", content("a"));
  halt.halt();
  await contents.flush();
  expect([contents.dropped, contents.pendingBytes]).toEqual([2, 0]);
});

test("a reaper that can remove nothing says so", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const halt = new WriteHalt();
  halt.halt();
  const failure = await new Promise((onFailure) => {
    openContents(temporaryDirectory(), { halt, onFailure });
    vi.advanceTimersByTime(contentReapMs);
  });
  expect(failure).toMatchObject({ message: expect.stringContaining("write") as unknown });
});

test("a reaper that is killed at any time goes on, and forgets nothing that lives", async () => {
  const dataDir = temporaryDirectory();
  const filled = openContents(dataDir);
  const old = 6 * contentRowsPerWrite;
  for (let i = 0; i < old; i += 1) filled.contents.keep("a", `old ${i}`, content("x"));
  await filled.contents.flush();
  filled.clock.now = today + 100 * dayMs;
  filled.contents.keep("a", "new", content("new"));
  await filled.contents.close();
  for (let kill = 0; kill < 3; kill += 1) {
    const program = new ChildProgram("reap-contents", [dataDir, String(today + 100 * dayMs)]);
    expect(await program.line()).toBe("reaping");
    await new Promise((resolve) => setTimeout(resolve, 4 * kill));
    await program.kill();
  }
  const { contents, clock } = openContents(dataDir);
  clock.now = today + 100 * dayMs;
  valueOf(await contents.reap());
  expect(valueOf(await contents.reap())).toBe(0);
  // All that is left is found by its place as by its time.
  expect(valueOf(await contents.eraseOrganization("a"))).toBe(1);
});
