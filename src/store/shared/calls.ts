import type { MicroUsd } from "../../contract/money.ts";
import type { LedgerEntry } from "../../contract/ledger.ts";
import type { LedgerMonth } from "../ledger/ledger.ts";
import type { StoredAccount } from "./money-reads.ts";
import type { GrantReply, LiveGateway, TopUpReply } from "./functions.ts";
import type { CapGrantReply, CapTerms, RateGrantReply } from "./limit-functions.ts";

/**
 * What the threads that serve requests ask of the shared store. One thread is connected to it and asks for all of them,
 * under the gateway's id. A call rejects if the store can't be reached: then it was carried out, or it was not.
 */
export interface SharedCalls {
  /** As `SharedFunctions.grantMoney`. */
  grantMoney(orgId: string, need: MicroUsd, target: MicroUsd): Promise<GrantReply>;
  liveGateways(): Promise<readonly LiveGateway[]>;
  /** This gateway's id among them. */
  ownId(): Promise<number>;
  /** Returns those of the jobs that this gateway runs from now on. */
  claimJobs(jobIds: readonly string[]): Promise<readonly string[]>;
  openAccount(orgId: string): Promise<void>;
  /** As `SharedFunctions.topUp`. */
  topUp(
    orgId: string,
    type: "top_up" | "correction",
    amount: MicroUsd,
    idempotencyKey: string,
  ): Promise<TopUpReply>;
  /** As `MoneyReads`, and so the next four. */
  accounts(orgIds: readonly string[] | null): Promise<ReadonlyMap<string, StoredAccount>>;
  held(orgId: string): Promise<{ readonly amount: MicroUsd; readonly holds: number }>;
  entriesBefore(orgId: string, before: number, limit: number): Promise<readonly LedgerEntry[]>;
  months(orgId: string, limit: number): Promise<readonly LedgerMonth[]>;
  recoverSome(orgsMax: number, debtsMax: number): Promise<number>;
  /** As `LimitFunctions.grantRate`. */
  grantRate(id: string, need: number, wish: number, limit: number): Promise<RateGrantReply>;
  /** As `LimitFunctions.grantCap`. */
  grantCap(terms: CapTerms, need: bigint, wish: bigint): Promise<CapGrantReply>;
  /** As `LimitFunctions.usedOfCaps`. */
  usedOfCaps(
    caps: readonly Pick<CapTerms, "id" | "window">[],
  ): Promise<ReadonlyMap<string, bigint>>;
  /** As `LimitFunctions.forgetCaps`. */
  forgetCaps(ids: readonly string[]): Promise<void>;
}
