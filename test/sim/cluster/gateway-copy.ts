import { deserialize } from "node:v8";
import { zstdDecompressSync } from "node:zlib";
import { refuse } from "../../../src/contract/errors.ts";
import { accept, type Outcome } from "../../../src/contract/outcome.ts";
import type { JournalOperation } from "../../../src/store/journal/batch.ts";
import type { RowChange } from "../../../src/store/embedded/store-draft.ts";
import type { Followed } from "../../../src/store/shared/follower.ts";
import { rowChangeOf } from "../../../src/store/shared/replica.ts";
import type { ConfigRow, LogRun } from "../../../src/store/shared/replication.ts";

/** A gateway's copy of the shared store, in memory. It outlives the gateway's processes, as a data directory does. */
export class GatewayCopy implements Followed {
  runs = 0;
  changes = 0;
  /** Nothing can be written. */
  isFull = false;
  readonly events: string[] = [];
  readonly rows = new Map<string, unknown>();
  /** Items of batch jobs that have ended: job and index. */
  readonly endedItems = new Set<string>();

  get size(): number {
    return this.events.length;
  }

  /** Throws if the runs do not follow those that it has. */
  applyRuns(runs: readonly LogRun[]): Promise<Outcome<null>> {
    if (this.isFull) return Promise.resolve(noRoom);
    for (const { place, first, n, lines, made, operations } of runs) {
      if (place !== this.runs + 1 || (n > 0 && first !== this.events.length)) {
        throw new Error(`run ${place} of the log does not follow run ${this.runs}`);
      }
      if (lines !== null) this.events.push(...zstdDecompressSync(lines).toString().split("\n"));
      if (made !== null) this.events.push(...made.split("\n"));
      this.runs = place;
      // The gateways have encoded them.
      const decoded =
        operations === null ? [] : (deserialize(operations) as readonly JournalOperation[]);
      for (const operation of decoded) {
        if (operation.kind === "jobItemEnd") {
          this.endedItems.add(`${operation.jobId} ${operation.index}`);
        }
      }
    }
    return Promise.resolve(accept(null));
  }

  applyChange(seq: number, rows: readonly ConfigRow[]): Promise<Outcome<null>> {
    if (seq !== this.changes + 1) throw new Error(`change ${seq} does not follow ${this.changes}`);
    return this.applyWhole(seq, rows.map(rowChangeOf));
  }

  applyWhole(seq: number, changes: readonly RowChange[]): Promise<Outcome<null>> {
    if (this.isFull) return Promise.resolve(noRoom);
    for (const { key, value } of changes) this.rows.set(String(key), value);
    this.changes = seq;
    return Promise.resolve(accept(null));
  }

  differenceTo(): readonly RowChange[] {
    throw new Error("the simulated server keeps all changes");
  }
}

const noRoom = refuse("internal_error", "There is no room on the disk.");
