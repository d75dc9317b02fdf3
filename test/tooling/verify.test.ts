import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAudit } from "../../scripts/verify/bundle.ts";
import { GrowingRoot } from "../../src/store/audit/growing-root.ts";
import { linesOf } from "../../scripts/verify/lines.ts";
import {
  bundleExample,
  proofExample,
  verifierKeyExample,
} from "../../src/openapi/audit-examples.ts";
import { newSigningKey, noteSigner } from "../../src/store/audit/signed-note.ts";
import { leafHash } from "../../src/store/audit/merkle.ts";
import { appendLeaves, rootOf } from "../../src/store/audit/merkle-tree.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { temporaryDirectory } from "../store/temporary-store.ts";

let gateway: TestGateway;
let exported: {
  readonly key: string;
  /** Of the whole log. */
  readonly log: string;
  /** Of one organization. */
  readonly records: string;
  readonly proof: string;
};

beforeAll(async () => {
  gateway = await startGateway();
  const audit = new AuditApi(gateway);
  const keys = new KeysApi(gateway);
  const { admin, id } = await keys.organization("acme");
  await keys.key({ orgId: id });
  expect(admin.id).not.toBe("");
  const events = await audit.events(`orgId=${id}&`);
  exported = {
    key: (await audit.text("key")).trim(),
    log: await audit.text("export.jsonl"),
    records: await audit.text(`export.jsonl?orgId=${id}`),
    proof: JSON.stringify(await audit.proof(events[0]?.index ?? 0)),
  };
});
afterAll(() => gateway.stop());

async function verifies(
  text: string | Buffer,
  key: string | null = exported.key,
): Promise<boolean> {
  return (await verifyAudit([Buffer.from(text)], key)).ok;
}

describe("what was exported", () => {
  test.each(["log", "records", "proof"] as const)("the %s verifies", async (kind) => {
    const verdict = await verifyAudit([Buffer.from(exported[kind])], exported.key);
    expect(verdict).toMatchObject({ ok: true, verifierKey: exported.key });
  });

  test.each(["log", "records", "proof"] as const)(
    "of the %s no byte can be another",
    async (kind) => {
      const bytes = Buffer.from(exported[kind]);
      const survivors: number[] = [];
      for (let at = 0; at < bytes.length; at += 1) {
        for (const flip of [1, 2, 32]) {
          bytes[at] = (bytes[at] ?? 0) ^ flip;
          if (await verifies(bytes)) survivors.push(at);
          bytes[at] = (bytes[at] ?? 0) ^ flip;
        }
      }
      expect(survivors).toEqual([]);
    },
    120_000,
  );

  test("nothing verifies for another log's key", async () => {
    const other = noteSigner("weir-other", newSigningKey()).verifierKey;
    for (const text of [exported.log, exported.records, exported.proof]) {
      expect(await verifies(text, other)).toBe(false);
    }
  });

  test("a bundle needs no key, a proof does", async () => {
    expect(await verifies(exported.log, null)).toBe(true);
    expect(await verifies(exported.records, null)).toBe(true);
    expect(await verifies(exported.proof, null)).toBe(false);
  });

  test("a proof may be laid out by a person", async () => {
    expect(await verifies(JSON.stringify(JSON.parse(exported.proof), null, 2))).toBe(true);
  });
});

describe.each(["log", "records"] as const)("of a bundle (%s)", (kind) => {
  const lines = () => exported[kind].trimEnd().split("\n");
  const joined = (all: readonly string[]) => `${all.join("\n")}\n`;
  const count = (all: readonly string[]) => all.length - (kind === "log" ? 1 : 2);

  test("no record can be missing", async () => {
    for (let i = 1; i < lines().length; i += 1) {
      expect(await verifies(joined(lines().toSpliced(i, 1)))).toBe(false);
    }
  });

  test("no record can be there twice", async () => {
    for (let i = 1; i <= count(lines()); i += 1) {
      expect(await verifies(joined(lines().toSpliced(i, 0, lines()[i] ?? "")))).toBe(false);
    }
  });

  test("no two records can change places", async () => {
    expect(count(lines())).toBeGreaterThan(1);
    for (let i = 1; i < count(lines()); i += 1) {
      const [a = "", b = ""] = lines().slice(i, i + 2);
      expect(await verifies(joined(lines().toSpliced(i, 2, b, a)))).toBe(false);
    }
  });

  test("it can't be spelled otherwise", async () => {
    expect(await verifies(exported[kind].replace('{"form"', '{ "form"'))).toBe(false);
    const twice = '{"treeSize":0,"form"';
    expect(await verifies(exported[kind].replace('{"form"', twice))).toBe(false);
  });

  test("it can't be cut off", async () => {
    for (const length of [0, 1, 100, 0.5, 0.9].map((part) =>
      part < 1 ? Math.floor(exported[kind].length * part) : part,
    )) {
      expect(await verifies(exported[kind].slice(0, length))).toBe(false);
    }
  });
});

test("base64 has one spelling, and nothing follows the end", async () => {
  // 32 bytes leave two bits of the last digit unused.
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const respelt = (text: string) =>
    text.replace(/([A-Za-z0-9+/])="/, (_all, digit: string) => {
      return `${digits[digits.indexOf(digit) + 1] ?? ""}="`;
    });
  const hashes = '"hashes":["';
  for (const text of [exported.records, exported.proof]) {
    const at = text.indexOf(hashes);
    const changed = text.slice(0, at) + respelt(text.slice(at));
    expect(changed).not.toBe(text);
    expect(await verifies(changed)).toBe(false);
  }
  expect(await verifies(`${exported.records}{"records":2}\n`)).toBe(false);
});

test("a log and a proof of a release whose money events name no key verify", async () => {
  const read = (name: string): string =>
    readFileSync(path.join(import.meta.dirname, "../fixtures/audit", name), "utf8");
  const key = read("before-payers.key").trim();
  const log = read("log-before-payers.jsonl");
  expect(log).toContain('"payg.debit.applied"');
  expect(await verifies(log, key)).toBe(true);
  expect(await verifies(read("debit-before-payers.proof.json"), key)).toBe(true);
  expect(await verifies(log.replace('"costUsd":"0', '"costUsd":"1'), key)).toBe(false);
});

test("the examples of the document verify", async () => {
  const key = verifierKeyExample.trim();
  expect(await verifies(bundleExample, key)).toBe(true);
  expect(await verifies(JSON.stringify(proofExample), key)).toBe(true);
});

test("a growing root is the tree's, for 0 to 300 leaves", () => {
  const rows = new Map<string, Uint8Array>();
  const tiles = {
    get: (key: readonly number[]) => rows.get(key.join()),
    putSync: (key: readonly number[], value: Uint8Array) => rows.set(key.join(), value),
    removeSync: (key: readonly number[]) => rows.delete(key.join()),
  };
  const growing = new GrowingRoot();
  for (let size = 0; size <= 300; size += 1) {
    expect(growing.root().equals(rootOf(tiles, size))).toBe(true);
    const leaf = leafHash(Buffer.from(String(size)));
    growing.append(leaf);
    appendLeaves(tiles, size, [leaf]);
  }
});

test("lines are the same however the file is cut into chunks", async () => {
  const text = fc.array(fc.constantFrom("a", "b\r", "é", "\n", "\n\n"), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (parts, size) => {
      const bytes = Buffer.from(parts.join(""));
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const lines = [];
      for await (const line of linesOf(chunks)) lines.push(line.toString());
      const expected = bytes.toString().split("\n");
      if (expected.at(-1) === "") expected.pop();
      expect(lines).toEqual(expected);
    }),
  );
});

describe("the command", () => {
  const program = path.resolve(import.meta.dirname, "../../scripts/verify.ts");

  function run(...args: readonly string[]): Promise<readonly [number, string]> {
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [program, ...args], (_error, stdout, stderr) => {
        resolve([child.exitCode ?? -1, stdout + stderr]);
      });
    });
  }

  test("says what it has verified, and ends with 0, 1 or 2", async () => {
    const folder = temporaryDirectory();
    const file = path.join(folder, "audit.jsonl");
    writeFileSync(file, exported.log);
    expect(await run(file, "--key", exported.key)).toEqual([
      0,
      expect.stringMatching(/^Verified: all \d+ events of the log/),
    ]);
    const [code, output] = await run(file);
    expect([code, output.trimEnd().split("\n").at(-1)]).toEqual([0, exported.key]);
    writeFileSync(file, exported.log.replace("key.created", "key.revoked"));
    expect(await run(file)).toEqual([
      1,
      "NOT VERIFIED: an event was altered, removed, added or reordered.\n",
    ]);
    expect((await run())[0]).toBe(2);
    expect((await run(path.join(folder, "none")))[0]).toBe(2);
    expect((await run(file, "--colour"))[0]).toBe(2);
  });
});
