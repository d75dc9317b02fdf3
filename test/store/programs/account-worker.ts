import { parentPort, workerData } from "node:worker_threads";
import { microUsd, type MicroUsd } from "../../../src/contract/money.ts";
import { SharedAccounts } from "../../../src/store/ledger/shared-accounts.ts";
import { Random } from "../../sim/random.ts";
import { StandStill } from "./stand-still.ts";

/** Holds and debits of several accounts in any order; tells what it has debited from each. */
export interface AccountWork {
  readonly buffer: SharedArrayBuffer;
  readonly orgIds: readonly string[];
  readonly rounds: number;
  readonly seed: number;
}

/** One debit, in the middle of which the thread stands still until `gate` is opened. */
export interface StandingDebit {
  readonly buffer: SharedArrayBuffer;
  readonly orgId: string;
  readonly cost: bigint;
  readonly gate: SharedArrayBuffer;
}

const work = workerData as AccountWork | StandingDebit;
const accounts = new SharedAccounts(work.buffer);

function debit({ orgId, cost, gate }: StandingDebit): void {
  const standStill = new StandStill(gate);
  accounts.change(orgId, (account) => {
    account.balance = microUsd(account.balance - cost);
    standStill.once();
  });
}

function spend({ orgIds, rounds, seed }: AccountWork): ReadonlyMap<string, bigint> {
  const random = new Random(seed);
  const debited = new Map<string, bigint>();
  const held: { readonly orgId: string; readonly amount: MicroUsd }[] = [];
  const end = (cost: bigint): void => {
    const hold = held.splice(random.integer(0, held.length - 1), 1)[0];
    if (hold === undefined) return;
    const { orgId, amount } = hold;
    const wasDebited = accounts.change(orgId, (account) => {
      account.held = microUsd(account.held - amount);
      account.holds -= 1;
      if (cost > account.balance - account.held) return false;
      account.balance = microUsd(account.balance - cost);
      return true;
    });
    if (wasDebited.ok && wasDebited.value) debited.set(orgId, (debited.get(orgId) ?? 0n) + cost);
  };
  for (let i = 0; i < rounds; i++) {
    const orgId = orgIds[random.integer(0, orgIds.length - 1)] ?? "";
    const amount = microUsd(BigInt(random.integer(0, 300)));
    const isHeld = accounts.change(orgId, (account) => {
      if (account.held < 0n || account.held > account.balance || account.holds < 0) {
        throw new Error("more is held than there is");
      }
      if (amount > account.balance - account.held) return false;
      account.held = microUsd(account.held + amount);
      account.holds += 1;
      return true;
    });
    if (isHeld.ok && isHeld.value) held.push({ orgId, amount });
    if (held.length > 10 || random.chance(0.3)) end(BigInt(random.integer(0, 400)));
  }
  while (held.length > 0) end(0n);
  return debited;
}

if ("gate" in work) debit(work);
else parentPort?.postMessage(spend(work));
