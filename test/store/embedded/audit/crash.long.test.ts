import { expect, test } from "vitest";
import { readEvent } from "../../../../src/contract/audit.ts";
import { readCheckpoint } from "../../../../src/store/audit/checkpoint.ts";
import { appendLeaves, rootOf, type Tiles } from "../../../../src/store/audit/merkle-tree.ts";
import { consistencyHolds, leafHash } from "../../../../src/store/audit/merkle.ts";
import { ChildProgram } from "../../child-program.ts";
import { openBooks } from "../../ledger/books.ts";
import { openedStore, temporaryDirectory, valueOf } from "../../temporary-store.ts";

const rounds = 6;
/** Lines that the program prints before it is killed, in each round. */
const linesPerRound = [1, 12, 30, 45, 60, 17];

test("after kill -9 the log is a prefix with every acknowledged event, and its tree goes on", async () => {
  const dataDir = temporaryDirectory();
  let acknowledged = -1;
  let checkpoint: string | null = null;
  for (let round = 0; round < rounds; round += 1) {
    const program = new ChildProgram("append-events", [dataDir]);
    for (let lines = linesPerRound[round] ?? 1; lines > 0; lines -= 1) {
      const [what, value = ""] = (await program.line())?.split(" ") ?? [];
      if (what === "event") acknowledged = Number(value);
      if (what === "checkpoint") checkpoint = Buffer.from(value, "base64").toString();
    }
    // It goes on appending while it is killed.
    await program.kill();
    const store = await openedStore(dataDir);
    const books = await openBooks({ store });
    const { auditLog } = books;
    const { size } = auditLog;
    const tiles = newTiles();
    const numbers: number[] = [];
    for (let next = 0; next < size;) {
      const run = auditLog.run(next);
      appendLeaves(
        tiles,
        next,
        run.map(({ line }) => leafHash(Buffer.from(line))),
      );
      for (const { index, line } of run) {
        expect(index).toBe(next);
        const { event_type, data } = readEvent(line);
        if (event_type === "request.completed") numbers.push(Number(data["number"]));
        next += 1;
      }
    }
    expect(numbers.length).toBeGreaterThan(acknowledged);
    expect(numbers.every((number, i) => number === i)).toBe(true);
    const now = readCheckpoint(valueOf(await auditLog.checkpoint()), auditLog.verifierKey);
    if (now === null) throw new Error("a checkpoint does not verify");
    // The event of the last checkpoint alone makes no new one.
    expect(now.size).toBeGreaterThanOrEqual(size - 1);
    expect(now.root).toEqual(rootOf(tiles, now.size));
    if (checkpoint !== null) {
      const before = readCheckpoint(checkpoint, auditLog.verifierKey);
      if (before === null) throw new Error("a checkpoint does not verify");
      expect(rootOf(tiles, before.size)).toEqual(before.root);
      const proof = valueOf(auditLog.consistency(before.size, now.size));
      expect(consistencyHolds(before.size, now.size, proof, before.root, now.root)).toBe(true);
    }
    await books.close();
    await store.close();
  }
  expect(checkpoint).not.toBeNull();
}, 60_000);

function newTiles(): Tiles {
  const rows = new Map<string, Uint8Array>();
  return {
    get: (key) => rows.get(key.join()),
    putSync: (key, value) => rows.set(key.join(), value),
    removeSync: (key) => rows.delete(key.join()),
  };
}
