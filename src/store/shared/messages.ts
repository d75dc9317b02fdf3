import type { MicroUsd } from "../../contract/money.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { RowChange, StoreWrite } from "../embedded/store-draft.ts";
import type { JournalBatch } from "../journal/batch.ts";
import type { SharedCalls } from "./calls.ts";
import type { Amount, AppliedFlush } from "./functions.ts";
import type { LateLimits } from "./known-allowances.ts";

/** What the store's thread starts with. */
export interface SharedThreadData {
  /** Of PostgreSQL; it may hold a password. */
  readonly url: string;
  readonly databasePath: string;
  readonly directory: string;
  /** Of the `WriteHalt`. */
  readonly halt: SharedArrayBuffer;
  /** Of the `Lease`. */
  readonly lease: SharedArrayBuffer;
  /** The audit log's name and private key. */
  readonly log: { readonly name: string; readonly privateKeyPem: string };
  readonly name: string;
  readonly release: string;
  readonly configHash: string;
}

/** What the main thread asks the store's thread. Each has an answer. */
export type SharedQuestion =
  /** The gateway has joined, and its copy has everything that the store had then. */
  | { readonly about: "ready" }
  /** `epoch`: of the allowances that the batch's operations count on. */
  | { readonly about: "write"; readonly batch: JournalBatch; readonly epoch: number }
  /** `basedOn`: the changes that the copy had when this one was made. */
  | { readonly about: "change"; readonly write: StoreWrite; readonly basedOn: number }
  /** Every live gateway acts on the changes that this one acts on. */
  | { readonly about: "inForce" }
  /** The copy has everything that the store had at the question. */
  | { readonly about: "catchUp" }
  | { readonly about: "publish" }
  | {
      readonly about: "call";
      readonly name: keyof SharedCalls;
      readonly values: readonly unknown[];
    }
  | { readonly about: "end" };

export type ToSharedThread =
  | { readonly kind: "question"; readonly number: number; readonly question: SharedQuestion }
  /** All threads act on the changes up to this one. */
  | { readonly kind: "tookIn"; readonly seq: number };

/** Of a change: "behind" if the copy was, and has the newer ones now. */
export type SharedAnswer =
  | { readonly kind: "outcome"; readonly outcome: Outcome<null> | "behind" }
  | { readonly kind: "value"; readonly value: unknown }
  /** A call failed. */
  | { readonly kind: "away"; readonly why: string };

export type FromSharedThread =
  | { readonly kind: "answer"; readonly number: number; readonly answer: SharedAnswer }
  | {
      readonly kind: "applied";
      readonly reply: AppliedFlush;
      readonly returns: readonly Amount[];
    }
  | { readonly kind: "lateGrant"; readonly orgId: string; readonly amount: MicroUsd }
  | { readonly kind: "lateLimits"; readonly late: LateLimits }
  | { readonly kind: "lost"; readonly epoch: number }
  /** An account was opened, or topped up. */
  | { readonly kind: "account"; readonly orgId: string }
  /** `pool`: such as `money ORG`. */
  | { readonly kind: "recall"; readonly pool: string }
  /** The copy has taken in the change `seq` of another gateway. */
  | { readonly kind: "changed"; readonly seq: number; readonly rows: readonly RowChange[] }
  | { readonly kind: "progress"; readonly done: number; readonly total: number }
  /** The store can't be reached, or answered with an error. */
  | { readonly kind: "trouble"; readonly why: string }
  /** Nothing may go on. */
  | { readonly kind: "fatal"; readonly why: string };
