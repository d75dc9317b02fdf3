import { describe, expect, onTestFinished, test, vi } from "vitest";
import { contentReapMs, contentRowsPerWrite } from "../../../../src/contract/limits.ts";
import {
  LmdbContents,
  type LmdbContentsOptions,
} from "../../../../src/store/embedded/content/lmdb-contents.ts";
import { LmdbErasures } from "../../../../src/store/embedded/content/lmdb-erasures.ts";
import { WriteHalt } from "../../../../src/store/embedded/write-halt.ts";
import { ChildProgram } from "../../child-program.ts";
import { content, contentsContract, textOf } from "../../content/contract.ts";
import { eventsIn, openBooks } from "../../ledger/books.ts";
import { openedStore, temporaryDirectory, valueOf } from "../../temporary-store.ts";

const dayMs = 24 * 3_600_000;
const today = Date.parse("2026-06-01T00:00:00Z");

interface Opened {
  readonly contents: LmdbContents;
  readonly clock: { now: number };
  readonly days: Map<string, number>;
}

function openContents(dataDir: string, more: Partial<LmdbContentsOptions> = {}): Opened {
  const clock = { now: today };
  const days = new Map<string, number>();
  const contents = new LmdbContents({
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

describe("content in LMDB", () => {
  contentsContract(async ({ pendingBytesMax } = {}) => {
    const dataDir = temporaryDirectory();
    const store = await openedStore(dataDir);
    const books = await openBooks({ store });
    const more = pendingBytesMax === undefined ? {} : { pendingBytesMax };
    const { contents, clock, days } = openContents(dataDir, more);
    const erasures = new LmdbErasures({
      ...{ journal: books.journal, contents, tables: store.journal },
      onFailure: (error) => {
        throw error;
      },
    });
    onTestFinished(async () => {
      erasures.stop();
      await books.close();
      await contents.close();
      await store.close();
    });
    const passed = (ms: number) => Promise.resolve(void (clock.now = today + ms));
    const isErasure = (event: Readonly<Record<string, unknown>>) =>
      event["event_type"] === "content.erased";
    const erased = () => Promise.resolve(eventsIn(books).filter(isErasure) as never);
    return { contents, erasures, days, passed, erased };
  });
});

test("it is there after a restart", async () => {
  const dataDir = temporaryDirectory();
  const before = openContents(dataDir);
  before.contents.keep("a", "r", content("of a"));
  before.contents.keep("b", "r", content("of b"));
  await before.contents.close();
  const { contents } = openContents(dataDir);
  expect(await textOf({ contents }, "a", "r")).toBe("of a");
  expect(await textOf({ contents }, "b", "r")).toBe("of b");
});

test("erasing takes what is on its way, and leaves other organizations alone", async () => {
  const { contents } = openContents(temporaryDirectory());
  for (const orgId of ["a", "ab", "b"]) {
    contents.keep(orgId, "1", content(orgId));
    contents.keep(orgId, "2", content(orgId));
  }
  expect(valueOf(await contents.erase("a", "1"))).toBe(1);
  expect(valueOf(await contents.erase("a", "1"))).toBe(0);
  expect(await textOf({ contents }, "a", "2")).toBe("a");
  expect(valueOf(await contents.eraseOrganization("a"))).toBe(1);
  expect(await textOf({ contents }, "a", "2")).toBeNull();
  for (const orgId of ["ab", "b"]) expect(await textOf({ contents }, orgId, "1")).toBe(orgId);
});

test("erasing takes what was kept while the clock was ahead", async () => {
  const { contents, clock } = openContents(temporaryDirectory());
  clock.now = today + 2 * dayMs;
  contents.keep("a", "1", content("a"));
  clock.now = today;
  expect(valueOf(await contents.eraseOrganization("a"))).toBe(1);
  expect(await textOf({ contents }, "a", "1")).toBeNull();
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
