import type { LedgerEntry } from "../../contract/ledger.ts";
import { formatUsd, microUsd, type MicroUsd } from "../../contract/money.ts";
import type { LedgerMonth } from "../ledger/ledger.ts";
import { callFunction, type Queryable } from "./call-function.ts";

/** An organization's balance, and how much of it gateways have in escrow. */
export interface StoredAccount {
  readonly balance: MicroUsd;
  readonly escrowed: MicroUsd;
}

/** What a gateway reads of the shared books (`migrations/5_money-reads.sql`). Rejects as `SharedFunctions`. */
export class MoneyReads {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** null: of all organizations. */
  async accounts(orgIds: readonly string[] | null): Promise<ReadonlyMap<string, StoredAccount>> {
    const found = (await callFunction(this.#database, "accounts_of", [orgIds])) as Readonly<
      Record<string, readonly [balance: string, escrowed: string]>
    >;
    return new Map(
      Object.entries(found).map(([orgId, [balance, escrowed]]) => [
        orgId,
        { balance: money(balance), escrowed: money(escrowed) },
      ]),
    );
  }

  /** What the holds of all gateways take. */
  async held(orgId: string): Promise<{ readonly amount: MicroUsd; readonly holds: number }> {
    const held = (await callFunction(this.#database, "held_of", [orgId])) as {
      readonly amount: string;
      readonly holds: number;
    };
    return { amount: money(held.amount), holds: held.holds };
  }

  async entriesBefore(
    orgId: string,
    before: number,
    limit: number,
  ): Promise<readonly LedgerEntry[]> {
    const values = [orgId, before, limit];
    const entries = await callFunction(this.#database, "entries_before", values);
    return (entries as readonly StoredEntry[]).map(ledgerEntryOf);
  }

  async months(orgId: string, limit: number): Promise<readonly LedgerMonth[]> {
    const months = await callFunction(this.#database, "months_of", [orgId, limit]);
    return (months as readonly StoredMonth[]).map(({ month, entries, ...sums }) => ({
      month,
      debits: money(sums.debits),
      topUps: money(sums.topUps),
      corrections: money(sums.corrections),
      entries,
    }));
  }

  /** Debits debts that balances cover by now. Returns how many. */
  async recoverSome(orgsMax: number, debtsMax: number): Promise<number> {
    return Number(await callFunction(this.#database, "recover_some", [orgsMax, debtsMax]));
  }
}

/** An entry as `entry_json` writes it. */
export interface StoredEntry {
  readonly number: number;
  readonly type: LedgerEntry["type"];
  readonly amount: string;
  readonly balance_after: string;
  readonly idempotency_key: string;
  readonly request_id: string | null;
  readonly created_at: string;
  readonly detail: Pick<LedgerEntry, "catalogVersion" | "usage"> | null;
}

interface StoredMonth {
  readonly month: string;
  readonly debits: string;
  readonly topUps: string;
  readonly corrections: string;
  readonly entries: number;
}

export function ledgerEntryOf(entry: StoredEntry): LedgerEntry {
  return {
    id: String(entry.number),
    type: entry.type,
    amountUsd: formatUsd(money(entry.amount)),
    balanceAfterUsd: formatUsd(money(entry.balance_after)),
    idempotencyKey: entry.idempotency_key,
    requestId: entry.request_id,
    catalogVersion: entry.detail?.catalogVersion ?? null,
    usage: entry.detail?.usage ?? null,
    createdAt: entry.created_at,
  };
}

function money(text: string): MicroUsd {
  return microUsd(BigInt(text));
}
