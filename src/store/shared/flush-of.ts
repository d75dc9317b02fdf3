import { serialize } from "node:v8";
import { constants, zstdCompressSync } from "node:zlib";
import { zeroUsd } from "../../contract/money.ts";
import { leafHash } from "../audit/merkle.ts";
import type { JournalBatch, JournalOperation } from "../journal/batch.ts";
import { unpackLines } from "../journal/packed-events.ts";
import type { RateUnits } from "../windows/rate-return.ts";
import type { CapUse } from "../windows/usage-count.ts";
import type { Flush } from "./functions.ts";
import type { FlushParts } from "./member.ts";

/** A batch's operations, by where they go. */
export interface SortedOperations extends Pick<
  Flush,
  "unholds" | "holds" | "debits" | "returns" | "usage" | "rateReturns"
> {
  /** What every gateway applies to its copy. */
  readonly replicated: readonly JournalOperation[];
}

/** A batch as `Member.write` takes it. */
export function flushPartsOf({ events, operations }: JournalBatch, epoch: number): FlushParts {
  const lines = unpackLines(events);
  const { replicated, ...sorted } = flushOf(operations, epoch);
  return {
    ...sorted,
    events: lines.length === 0 ? null : packed(lines),
    operations: replicated.length === 0 ? null : serialize(replicated),
  };
}

function packed(lines: readonly string[]): NonNullable<FlushParts["events"]> {
  const leaves = Buffer.concat(lines.map((line) => leafHash(Buffer.from(line))));
  return { lines: zstdCompressSync(lines.join("\n"), fast), leaves };
}

/** Events of a flush are few and alike. The default level takes up to two times as long, and gains a hundredth. */
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Sorts operations for `SharedFunctions.flush`. A hold that ends in the same batch is left out. What was granted in
 * another epoch than `epoch` is gone already: it neither pays nor goes back.
 */
export function flushOf(operations: readonly JournalOperation[], epoch: number): SortedOperations {
  const holds = new Map<string, Flush["holds"][number]>();
  const unholds: string[] = [];
  const debits: Flush["debits"][number][] = [];
  const returns: Flush["returns"][number][] = [];
  const usage: CapUse[] = [];
  const rateReturns: RateUnits[] = [];
  const replicated: JournalOperation[] = [];
  for (const operation of operations) {
    switch (operation.kind) {
      case "hold": {
        // What it held is free already.
        if (operation.epoch !== epoch) break;
        const { requestId, orgId, amount, by } = operation;
        holds.set(requestId, { requestId, orgId, amount, by: by ?? noPayer });
        break;
      }
      case "unhold":
        if (!holds.delete(operation.requestId)) unholds.push(operation.requestId);
        break;
      case "charge": {
        const { orgId, requestId, by, at, charge, item } = operation;
        const paid = operation.epoch === epoch ? operation.paid : zeroUsd;
        const { cost, catalogVersion, usage } = charge;
        const detail = { catalogVersion, usage };
        debits.push({ orgId, requestId, by, cost, paid, at, detail, item });
        break;
      }
      case "return":
        if (operation.epoch === epoch) {
          returns.push({ orgId: operation.orgId, amount: operation.amount });
        }
        break;
      case "capUse": {
        const isCurrent = operation.epoch === epoch;
        usage.push(...operation.uses.map((use) => (isCurrent ? use : { ...use, released: 0n })));
        break;
      }
      case "rateReturn":
        if (operation.epoch === epoch) rateReturns.push(...operation.returns);
        break;
      case "usage":
        // Usage counts in the shared store.
        break;
      case "open":
      case "entry":
      case "owe":
      case "unowe":
      case "refusalTaken":
        throw new Error("the shared store keeps its own books");
      case "windows":
        // The windows of limits stand in the shared store.
        break;
      default:
        replicated.push(operation);
    }
  }
  return {
    unholds,
    holds: [...holds.values()],
    debits,
    returns,
    usage: added(usage),
    rateReturns,
    replicated,
  };
}

/** One use of each cap. */
function added(uses: readonly CapUse[]): readonly CapUse[] {
  const sums = new Map<string, CapUse>();
  for (const use of uses) {
    const before = sums.get(use.id);
    const amount = (before?.amount ?? 0n) + use.amount;
    const released = (before?.released ?? 0n) + use.released;
    sums.set(use.id, { ...use, amount, released });
  }
  return [...sums.values()].filter(({ amount, released }) => amount > 0n || released > 0n);
}

const noPayer = { apiKeyId: null, team: null };
