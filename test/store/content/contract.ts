import { expect, test } from "vitest";
import type { AuditEvent } from "../../../src/contract/audit.ts";
import { contentRowsPerWrite } from "../../../src/contract/limits.ts";
import type { Content } from "../../../src/store/content/content.ts";
import type { Contents } from "../../../src/store/content/contents.ts";
import type { Erasure, Erasures } from "../../../src/store/content/erasures.ts";
import { valueOf } from "../temporary-store.ts";

const dayMs = 24 * 3_600_000;

/** A store of content that is open until its test ends. */
export interface OpenedContents {
  readonly contents: Contents;
  readonly erasures: Erasures;
  /** Days of organizations that have their own. */
  readonly days: Map<string, number>;
  /** Sets the time of the store that far after its beginning. */
  readonly passed: (ms: number) => Promise<void>;
  /** The events of erasures that the log has, in order. */
  readonly erased: () => Promise<readonly Pick<AuditEvent, "data">[]>;
}

export interface OpenContentsOptions {
  readonly pendingBytesMax?: number;
}

export function content(text: string): Content {
  const bytes = Buffer.from(text);
  return { request: { bytes, length: bytes.length }, response: null, salt: null };
}

/** null: there is none. */
export async function textOf(
  { contents }: Pick<OpenedContents, "contents">,
  orgId: string,
  id: string,
): Promise<string | null> {
  const found = valueOf(await contents.read(orgId, id));
  return found?.request ? Buffer.from(found.request.bytes).toString() : null;
}

export const ofOrganization = (orgId: string, id = `delete ${orgId}`): Erasure => ({
  ...{ id, orgId, requestId: null, index: null, byKeyId: "key_1" },
});

/** What every store of content does. */
export function contentsContract(
  open: (options?: OpenContentsOptions) => Promise<OpenedContents>,
): void {
  test("each organization has its own content, and a request has its last", async () => {
    const opened = await open();
    const { contents } = opened;
    contents.keep("a", "r", content("of a, first"));
    contents.keep("b", "r", content("of b"));
    contents.keep("a", "r", content("of a"));
    await contents.flush();
    expect(await Promise.all(["a", "b", "c"].map((id) => textOf(opened, id, "r")))).toEqual([
      "of a",
      "of b",
      null,
    ]);
    contents.keep("a", "r", content("of a, later"));
    await contents.flush();
    expect(await textOf(opened, "a", "r")).toBe("of a, later");
  });

  test("it is kept soon, without being asked", async () => {
    const opened = await open();
    opened.contents.keep("a", "r", content("x"));
    await expect.poll(() => textOf(opened, "a", "r")).toBe("x");
    expect(opened.contents.pendingBytes).toBe(0);
  });

  test("all its parts are as they were, and cut bodies keep their length", async () => {
    const { contents } = await open();
    const whole: Content = {
      request: { bytes: Buffer.from([0, 255, 10, 92]), length: 4 },
      response: { bytes: Buffer.from("cut"), length: 1_000 },
      salt: "00ff",
    };
    contents.keep("a", "whole", whole);
    contents.keep("a", "empty", { request: null, response: null, salt: null });
    await contents.flush();
    expect(valueOf(await contents.read("a", "whole"))).toEqual(whole);
    expect(valueOf(await contents.read("a", "empty"))).toEqual({
      ...{ request: null, response: null, salt: null },
    });
  });

  test("its time is over to the millisecond, reaped or not, by the days of now", async () => {
    const { contents, days, passed } = await open();
    days.set("short", 2);
    for (const orgId of ["short", "default"]) contents.keep(orgId, "r", content(orgId));
    await contents.flush();
    const readable = async () =>
      Promise.all(
        ["short", "default"].map(async (id) => valueOf(await contents.read(id, "r")) !== null),
      );
    await passed(2 * dayMs);
    expect(await readable()).toEqual([true, true]);
    await passed(2 * dayMs + 1);
    expect(await readable()).toEqual([false, true]);
    days.set("short", 3);
    expect(await readable()).toEqual([true, true]);
    await passed(90 * dayMs + 1);
    expect(await readable()).toEqual([false, false]);
  });

  test("the reaper removes what is over, and no more, in any number of rows", async () => {
    const opened = await open();
    const { contents, days, passed } = opened;
    days.set("short", 2);
    const many = 2 * contentRowsPerWrite + 3;
    for (let i = 0; i < many; i += 1) contents.keep("short", `old ${i}`, content("x"));
    contents.keep("default", "old", content("y"));
    await contents.flush();
    await passed(2 * dayMs);
    contents.keep("short", "new", content("z"));
    await contents.flush();
    expect(valueOf(await contents.reap())).toBe(0);
    await passed(2 * dayMs + 1);
    expect(valueOf(await contents.reap())).toBe(many);
    expect(valueOf(await contents.reap())).toBe(0);
    // Days that grow bring nothing back.
    days.set("short", 1_000);
    expect(await textOf(opened, "short", "old 0")).toBeNull();
    expect(await textOf(opened, "short", "new")).toBe("z");
    expect(await textOf(opened, "default", "old")).toBe("y");
  });

  test("erasing takes what is on its way, leaves others alone, and has its event", async () => {
    const opened = await open();
    const { contents, erasures } = opened;
    for (const orgId of ["a", "ab", "b"]) {
      contents.keep(orgId, "1", content(orgId));
      contents.keep(orgId, "2", content(orgId));
    }
    const one = { ...ofOrganization("a", "one"), requestId: "1", index: 7 };
    valueOf(await erasures.erase(one));
    await contents.flush();
    expect(await textOf(opened, "a", "1")).toBeNull();
    expect(await textOf(opened, "a", "2")).toBe("a");
    expect(valueOf(await erasures.erase(ofOrganization("a", "all")))).toBe(1);
    expect(valueOf(await erasures.erase(ofOrganization("a", "again")))).toBe(0);
    expect(await textOf(opened, "a", "2")).toBeNull();
    for (const orgId of ["ab", "b"]) expect(await textOf(opened, orgId, "1")).toBe(orgId);
    const about = { org_id: "a", data: { by_key_id: "key_1" } };
    expect(await opened.erased()).toMatchObject([
      { ...about, request_id: "one", data: { index: 7 } },
      { ...about, request_id: "all", data: { index: null, records: 1, by_key_id: "key_1" } },
      { ...about, request_id: "again", data: { index: null, records: 0, by_key_id: "key_1" } },
    ]);
  });

  test("erasing takes any number of rows, and nothing that comes after it", async () => {
    const opened = await open();
    const { contents, erasures } = opened;
    const many = 2 * contentRowsPerWrite + 3;
    for (let i = 0; i < many; i += 1) contents.keep("a", `${i}`, content("x"));
    await contents.flush();
    expect(valueOf(await erasures.erase(ofOrganization("a")))).toBe(many);
    contents.keep("a", "new", content("new"));
    await contents.flush();
    await erasures.resume();
    expect(await textOf(opened, "a", "new")).toBe("new");
    expect(await opened.erased()).toMatchObject([{ data: { records: many } }]);
  });

  test("where too much waits, content is dropped and counted", async () => {
    const opened = await open({ pendingBytesMax: 1_024 });
    const { contents } = opened;
    for (let i = 0; i < 20; i += 1) contents.keep("a", String(i), content("x".repeat(100)));
    expect(contents.pendingBytes).toBeLessThanOrEqual(1_024);
    const { dropped } = contents;
    expect(dropped).toBeGreaterThan(10);
    await contents.flush();
    expect(contents.pendingBytes).toBe(0);
    contents.keep("a", "later", content("later"));
    await contents.flush();
    expect([contents.dropped, await textOf(opened, "a", "later")]).toEqual([dropped, "later"]);
    expect(await textOf(opened, "a", "19")).toBeNull();
  });
}
