import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { storeFreeBytesMin } from "../../../src/contract/limits.ts";
import { accept } from "../../../src/contract/outcome.ts";
import { auditKey } from "../../../src/store/embedded/audit/audit-key.ts";
import { ThreadWriter } from "../../../src/store/embedded/journal/thread-writer.ts";
import { openOrganizations } from "../../../src/store/embedded/organizations.ts";
import { openStore } from "../../../src/store/embedded/store.ts";
import { WriteHalt, writesHalted } from "../../../src/store/embedded/write-halt.ts";
import { ChildProgram } from "../child-program.ts";
import {
  codeOf,
  openedStore,
  temporaryDirectory,
  temporaryStore,
  valueOf,
} from "../temporary-store.ts";

it("is for its owner alone", async () => {
  const dataDir = join(temporaryDirectory(), "deep", "data");
  const store = await openedStore(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  for (const file of readdirSync(dataDir)) {
    expect(statSync(join(dataDir, file)).mode & 0o777, file).toBe(0o600);
  }
  await store.close();
});

it("keeps what was written over a close", async () => {
  const dataDir = temporaryDirectory();
  const store = await openedStore(dataDir);
  const draft = { name: "Ærø", plan: "free" } as const;
  const created = valueOf(await openOrganizations(store).create(draft));
  await store.close();
  const again = await openedStore(dataDir);
  expect(valueOf(await openOrganizations(again).get(created.id))).toEqual(created);
  expect(codeOf(await openOrganizations(again).get("org_none"))).toBe("not_found");
  await again.close();
});

it("writes all or nothing", async () => {
  const store = await temporaryStore();
  const { tables } = store;
  const failing = store.write(() => {
    tables.meta.putSync("keysGeneration", 7);
    throw new Error("in between");
  });
  await expect(failing).rejects.toThrow("in between");
  expect(tables.meta.get("keysGeneration")).toBeUndefined();
  expect(valueOf(await store.write(() => accept(tables.meta.putSync("keysGeneration", 8))))).toBe(
    true,
  );
  expect(tables.meta.get("keysGeneration")).toBe(8);
});

it("lets one process in, and the next as soon as it was killed", async () => {
  const dataDir = temporaryDirectory();
  const holder = new ChildProgram("hold", [dataDir]);
  expect(await holder.line()).toBe("open");
  const pid = readFileSync(join(dataDir, "weir.lock"), "utf8").trim();
  expect(await openStore({ dataDir })).toEqual({
    ok: false,
    fault: `The data directory ${dataDir} is in use by process ${pid}.`,
  });
  // A refused opener must not have freed or overwritten the lock.
  expect((await openStore({ dataDir })).ok).toBe(false);
  await holder.kill();
  const store = await openedStore(dataDir);
  expect(readFileSync(join(dataDir, "weir.lock"), "utf8")).toBe(`${process.pid}\n`);
  expect((await openStore({ dataDir })).ok).toBe(false);
  const second = new ChildProgram("hold", [dataDir]);
  expect(await second.line()).toContain(`in use by process ${process.pid}`);
  await store.close();
});

it("refuses a schema that a newer release wrote, and leaves it as it is", async () => {
  const dataDir = temporaryDirectory();
  const store = await openedStore(dataDir);
  valueOf(await store.write(() => accept(store.tables.meta.putSync("schemaVersion", 99))));
  await store.close();
  for (const attempt of [1, 2]) {
    const opened = await openStore({ dataDir });
    expect(opened.ok, `attempt ${attempt}`).toBe(false);
    expect(!opened.ok && opened.fault).toContain(`The store in ${dataDir} can't be opened`);
    expect(!opened.ok && opened.fault).toContain("newer release (schema 99; this one knows ");
  }
});

it.each([
  ["a file where the directory should be", (path: string) => writeFileSync(path, "")],
  [
    "something else where the database should be",
    (path: string) => {
      mkdirSync(path);
      writeFileSync(join(path, "weir.mdb"), "not a database".repeat(1000));
    },
  ],
  [
    "a database of which only a part was written",
    (path: string) => {
      mkdirSync(path);
      const header = Buffer.alloc(4096);
      header.writeUInt32LE(0xbeefc0de, 24);
      writeFileSync(join(path, "weir.mdb"), header);
    },
  ],
  [
    "something else where readable content should be",
    (path: string) => {
      mkdirSync(path);
      writeFileSync(join(path, "content.mdb"), "not a database".repeat(1000));
    },
  ],
  [
    "a directory where the database should be",
    (path: string) => mkdirSync(join(path, "weir.mdb"), { recursive: true }),
  ],
])("names the directory where it meets %s", async (_, prepare) => {
  const dataDir = join(temporaryDirectory(), "data");
  prepare(dataDir);
  const opened = await openStore({ dataDir });
  expect(!opened.ok && opened.fault).toContain(dataDir);
  expect(!opened.ok && opened.fault).toMatch(/can't be (used|opened): /);
});

it("full disk: refuses writes, reads on, and writes again once there is room", async () => {
  let freeBytes = storeFreeBytesMin;
  const store = await openedStore(temporaryDirectory(), () => freeBytes);
  onTestFinished(() => store.close());
  const organizations = openOrganizations(store);
  const draft = { name: "acme", plan: "paid" } as const;
  const { id } = valueOf(await organizations.create(draft));
  freeBytes -= 1;
  expect(await organizations.create({ ...draft, name: "another" })).toMatchObject({
    refusal: { code: "internal_error", message: expect.stringContaining("no room left") as string },
  });
  expect(codeOf(await organizations.get(id))).toBe("accepted");
  freeBytes += 1;
  expect(codeOf(await organizations.create({ ...draft, name: "other" }))).toBe("accepted");
  expect(store.tables.organizations.getCount()).toBe(2);
});

it("full disk: opens what is there, makes nothing new", async () => {
  const full = () => 0;
  const dataDir = temporaryDirectory();
  expect(await openStore({ dataDir, freeBytes: full })).toEqual({
    ok: false,
    fault: `The store in ${dataDir} can't be opened: its disk has no room left`,
  });
  await (await openedStore(dataDir)).close();
  await (await openedStore(dataDir, full)).close();
});

it.each(["ENOSPC", "EDQUOT", "EFBIG", "EIO", "EROFS", "ENODEV"] as const)(
  "full or failing disk: writes nothing more where LMDB itself met %s",
  async (name) => {
    const store = await temporaryStore();
    const { meta } = store.tables;
    const failing = store.write(() => {
      meta.putSync("keysGeneration", 1);
      throw Object.assign(new Error(name), { code: constants.errno[name] });
    });
    expect(codeOf(await failing)).toBe("internal_error");
    expect(meta.get("keysGeneration")).toBeUndefined();
    const next = store.write(() => accept(meta.putSync("keysGeneration", 2)));
    expect(codeOf(await next)).toBe("internal_error");
    expect(meta.get("keysGeneration")).toBeUndefined();
  },
);

it("full disk: no thread writes any more where LMDB met it in one of them", async () => {
  const store = await temporaryStore();
  const writer = new ThreadWriter(store, valueOf(await auditKey(store)), (error) => {
    throw error;
  });
  onTestFinished(() => writer.close());
  const batch = { events: [], operations: [] };
  expect(await writer.write({ ...batch, number: 1 })).toEqual(accept(null));
  // What any of them does where its LMDB fails.
  new WriteHalt(store.halt.buffer).halt();
  expect(await writer.write({ ...batch, number: 2 })).toEqual(writesHalted);
  expect(await store.write(() => accept(null))).toEqual(writesHalted);
  expect(store.journal.meta.get("journalBatch")).toBe(1);
});
