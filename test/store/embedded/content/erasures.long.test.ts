import { expect, onTestFinished, test } from "vitest";
import { contentRowsPerWrite } from "../../../../src/contract/limits.ts";
import { refuse } from "../../../../src/contract/errors.ts";
import { accept } from "../../../../src/contract/outcome.ts";
import type { Clock } from "../../../../src/runtime/clock.ts";
import type { Erasure } from "../../../../src/store/content/erasures.ts";
import { LmdbContents } from "../../../../src/store/embedded/content/lmdb-contents.ts";
import { LmdbErasures } from "../../../../src/store/embedded/content/lmdb-erasures.ts";
import { ChildProgram } from "../../child-program.ts";
import { eventsIn, openBooks, type Books } from "../../ledger/books.ts";
import { codeOf, openedStore, temporaryDirectory, valueOf } from "../../temporary-store.ts";

const orgId = "org_1";
const startMs = Date.parse("2026-06-01T00:00:00Z");

interface Opened {
  readonly books: Books;
  readonly contents: LmdbContents;
  readonly erasures: LmdbErasures;
  readonly clock: Clock & { now: number };
  readonly failures: unknown[];
  readonly close: () => Promise<void>;
}

async function open(dataDir: string): Promise<Opened> {
  const store = await openedStore(dataDir);
  const books = await openBooks({ store });
  const clock = { now: startMs, wallMs: () => clock.now, monotonicMs: () => 0 };
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const options = { retentions: () => [], retentionDays: () => null };
  const contents = new LmdbContents({ dataDir, clock, onFailure, ...options });
  const { journal } = books;
  const erasures = new LmdbErasures({ journal, contents, tables: store.journal, onFailure, clock });
  let closed: Promise<void> | null = null;
  const closeAll = async (): Promise<void> => {
    erasures.stop();
    await books.close();
    await contents.close();
    await store.close();
  };
  const close = () => (closed ??= closeAll());
  onTestFinished(close);
  return { books, contents, erasures, clock, failures, close };
}

const ofAll: Erasure = { id: "delete", orgId, requestId: null, index: null, byKeyId: "key_1" };
const ofOne: Erasure = { ...ofAll, requestId: "r-1", index: 7 };

async function keep({ contents }: Opened, ids: readonly string[], of = orgId): Promise<void> {
  const bytes = Buffer.from("x");
  for (const id of ids) {
    contents.keep(of, id, { request: { bytes, length: 1 }, response: null, salt: null });
  }
  await contents.flush();
}

async function kept({ contents }: Opened, ids: readonly string[]): Promise<readonly string[]> {
  const isKept = async (id: string) => valueOf(await contents.read(orgId, id)) !== null;
  const found = await Promise.all(ids.map(isKept));
  return ids.filter((_, i) => found[i]);
}

const told = ({ books }: Opened) =>
  eventsIn(books).filter((event) => event["event_type"] === "content.erased");

function left({ books }: Opened): readonly unknown[] {
  const { erasures } = books.store.journal;
  erasures.resetReadTxn();
  return Array.from(erasures.getRange(), ({ value }) => value);
}

test("its event is durable with it, and nothing is left to be done", async () => {
  const opened = await open(temporaryDirectory());
  await keep(opened, ["r-1", "r-2"]);
  expect(valueOf(await opened.erasures.erase(ofOne))).toBe(1);
  expect(await kept(opened, ["r-1", "r-2"])).toEqual(["r-2"]);
  expect(valueOf(await opened.erasures.erase({ ...ofAll, id: "delete 2" }))).toBe(1);
  expect(told(opened)).toMatchObject([
    {
      org_id: orgId,
      request_id: "delete",
      data: { index: 7, records: 1, by_key_id: "key_1" },
    },
    { request_id: "delete 2", data: { index: null, records: 1, by_key_id: "key_1" } },
  ]);
  expect(left(opened)).toEqual([]);
});

test("before the first content goes, what is to be erased is durable", async () => {
  const opened = await open(temporaryDirectory());
  await keep(opened, ["r-1"]);
  const seen: unknown[] = [];
  const erasures = new LmdbErasures({
    journal: opened.books.journal,
    tables: opened.books.store.journal,
    onFailure: (error) => opened.failures.push(error),
    clock: opened.clock,
    contents: {
      newestMs: () => undefined,
      erase: (...about) => {
        seen.push(...left(opened));
        return opened.contents.erase(...about);
      },
      eraseOrganization: () => Promise.resolve(accept(0)),
    },
  });
  onTestFinished(() => erasures.stop());
  valueOf(await erasures.erase(ofOne));
  expect(seen).toMatchObject([{ orgId, requestId: "r-1", index: 7, byKeyId: "key_1" }]);
});

test("where that can't be written nothing is erased, then or later", async () => {
  const opened = await open(temporaryDirectory());
  await keep(opened, ["r-1"]);
  const { journal } = opened.books;
  const flushesInTime = [false];
  const erasures = new LmdbErasures({
    journal: {
      get accepting() {
        return journal.accepting;
      },
      append: (...what) => journal.append(...what),
      applied: async (...about) =>
        (await journal.applied(...about)) && (flushesInTime.pop() ?? true),
    },
    contents: opened.contents,
    tables: opened.books.store.journal,
    onFailure: (error) => opened.failures.push(error),
    clock: opened.clock,
  });
  onTestFinished(() => erasures.stop());
  expect(codeOf(await erasures.erase(ofOne))).toBe("internal_error");
  await journal.appliedAll(null);
  expect(left(opened)).toEqual([]);
  await erasures.resume();
  expect([await kept(opened, ["r-1"]), told(opened)]).toEqual([["r-1"], []]);
});

test("what could not be erased is erased later: what was there, and nothing that came since", async () => {
  const opened = await open(temporaryDirectory());
  // A clock that was ahead.
  opened.clock.now = startMs + 10_000;
  await keep(opened, ["ahead"]);
  opened.clock.now = startMs;
  await keep(opened, ["r-1"]);
  await keep(opened, ["r-1"], "org_2");
  let isFull = true;
  const erasures = new LmdbErasures({
    journal: opened.books.journal,
    tables: opened.books.store.journal,
    onFailure: (error) => opened.failures.push(error),
    clock: opened.clock,
    contents: {
      newestMs: (of) => opened.contents.newestMs(of),
      erase: (...about) => opened.contents.erase(...about),
      eraseOrganization: async (...about) =>
        isFull ? refuse("internal_error", "full") : opened.contents.eraseOrganization(...about),
    },
  });
  onTestFinished(() => erasures.stop());
  expect(codeOf(await erasures.erase(ofAll))).toBe("internal_error");
  await erasures.resume();
  expect([(await kept(opened, ["ahead", "r-1"])).length, opened.failures.length]).toEqual([2, 1]);
  isFull = false;
  opened.clock.now = startMs + 20_000;
  await keep(opened, ["new"]);
  await erasures.resume();
  expect(await kept(opened, ["ahead", "r-1", "new"])).toEqual(["new"]);
  expect(valueOf(await opened.contents.read("org_2", "r-1"))).not.toBeNull();
  expect(told(opened)).toMatchObject([{ data: { records: null, resumed: true, index: null } }]);
  expect(left(opened)).toEqual([]);
});

test("an erasure that runs is not carried out twice", async () => {
  const opened = await open(temporaryDirectory());
  await keep(opened, ["r-1"]);
  const erased = opened.erasures.erase(ofOne);
  await opened.books.journal.appliedAll(null);
  await opened.erasures.resume();
  valueOf(await erased);
  expect(told(opened)).toHaveLength(1);
});

test("killed at any time, it is finished by the next start, or has not begun", async () => {
  const outcomes = new Set<string>();
  const count = 4 * contentRowsPerWrite;
  const ids = Array.from({ length: count }, (_, i) => `r-${i}`);
  for (const delayMs of [0, 2, 6, 12, null]) {
    const dataDir = temporaryDirectory();
    const program = new ChildProgram("erase-contents", [dataDir, orgId, String(count)]);
    expect(await program.line()).toBe("kept");
    if (delayMs === null) expect(await program.line()).toBe("erased");
    else await new Promise((resolve) => setTimeout(resolve, delayMs));
    await program.kill();
    const opened = await open(dataDir);
    const wasLeft = left(opened).length > 0;
    // The clock of the program is the machine's.
    opened.clock.now = Date.now();
    await opened.erasures.resume();
    const { length } = await kept(opened, ids);
    const isGone = length === 0;
    if (!isGone) expect(length).toBe(count);
    expect(told(opened)).toHaveLength(isGone ? 1 : 0);
    expect(left(opened)).toEqual([]);
    expect(opened.failures).toEqual([]);
    outcomes.add(isGone ? (wasLeft ? "finished" : "done") : "not begun");
    await opened.close();
  }
  expect([...outcomes]).toContain("done");
}, 120_000);
