import type { MetricObject } from "prom-client";
import type { FileAccounts } from "../contract/account.ts";
import type { Configuration } from "../contract/configuration.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Answer, FlatHeaders, RequestHead } from "../exchange/exchange.ts";
import type { AccountHealth } from "../contract/account-health.ts";
import type { PathParameters } from "../pipeline/routes.ts";
import type { ListenerDescriptor } from "../proxy/listener/server.ts";
import type { StoreChange } from "../store/embedded/changes.ts";
import type { PackedEvents } from "../store/journal/packed-events.ts";
import type { KeyLastUse } from "../store/keys/key-uses.ts";
import type { MoneyAnswer, SpendingOperation } from "../store/ledger/spending.ts";
import type { LimitAnswer, RateTable } from "../store/windows/limit-grants.ts";
import type { UsageCap } from "../store/windows/usage-windows.ts";

/** What a thread asks for of what several gateways share. */
export type GrantQuestion =
  | { readonly pool: "money"; readonly orgId: string; readonly estimate: bigint }
  | {
      readonly pool: "rate";
      readonly table: RateTable;
      readonly id: string;
      readonly limit: number;
      readonly short: number;
    }
  | { readonly pool: "cap"; readonly cap: UsageCap; readonly short: bigint };

/** `MoneyAnswer` for money, else `LimitAnswer`. */
export type GrantAnswer = MoneyAnswer | LimitAnswer;

/** By path pattern: the methods of the routes that the main thread serves for all threads. */
export type HandedOverRoutes = Readonly<Record<string, readonly string[]>>;

/** The memory of the windows, so that all threads count in the same ones. */
export interface WindowBuffers {
  readonly rates: SharedArrayBuffer;
  readonly passthrough: SharedArrayBuffer;
  readonly usage: SharedArrayBuffer;
}

/** The data that a proxy thread starts with. */
export interface ThreadStart {
  /** From 0. The main thread has no index. */
  readonly index: number;
  /** Their number, without the main thread. */
  readonly threads: number;
  /**
   * The configuration, with the thread's share of everything that is bounded for the whole process.
   */
  readonly configuration: Configuration;
  readonly fileAccounts: FileAccounts;
  readonly databasePath: string;
  readonly windows: WindowBuffers;
  readonly accounts: SharedArrayBuffer;
  /** Of the `Lease`, where several gateways share a store; else null. */
  readonly lease: SharedArrayBuffer | null;
  readonly writeHalt: SharedArrayBuffer;
  /** Of the `UnownedResponses`. */
  readonly unowned: SharedArrayBuffer;
  readonly words: SharedArrayBuffer;
  readonly boundPort: SharedArrayBuffer;
  readonly handedOver: HandedOverRoutes;
}

/** A request whose route the main thread serves. */
export interface HandedOverRequest {
  /** The thread's own number of the request. */
  readonly id: number;
  readonly pattern: string;
  readonly method: string;
  readonly parameters: PathParameters;
  readonly requestId: string;
  readonly head: RequestHead;
  readonly remoteAddress: string;
  /** Milliseconds since the request arrived. */
  readonly ageMs: number;
  /** null if the request has no body, or its caller has no valid key. */
  readonly body: Outcome<Uint8Array> | null;
  /** True if its client left before it was handed over. */
  readonly isGone: boolean;
}

/** A step that the main thread takes with the exchange of a handed-over request. */
export type ExchangeStep =
  | { readonly kind: "respond"; readonly kept: FlatHeaders; readonly answer: Answer }
  | {
      readonly kind: "begin";
      readonly kept: FlatHeaders;
      readonly status: number;
      readonly headers: FlatHeaders;
    }
  | { readonly kind: "write"; readonly chunk: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "cut" };

/** A question of the main thread. Each is answered once, in order. */
export type ThreadQuestion =
  /** Answered when everything sent before was processed, and everything that waited was posted. */
  | { readonly about: "sync" }
  | { readonly about: "metrics" }
  | { readonly about: "account"; readonly name: string }
  /** Lets open exchanges finish, then ends everything. The last question. */
  | { readonly about: "drained"; readonly waitMsMax: number };

/** What the questions are answered with, by what they are about. */
export interface ThreadAnswers {
  readonly sync: null;
  readonly metrics: readonly MetricObject[];
  /** How the account does; null if the thread knows no such account. */
  readonly account: AccountHealth | null;
  readonly drained: null;
}

export type ThreadAnswer = ThreadAnswers[keyof ThreadAnswers];

export type ToThread =
  | { readonly kind: "change"; readonly change: StoreChange }
  | { readonly kind: "forgetCached"; readonly orgId: string }
  /** A batch that the thread waits for is durable. */
  | { readonly kind: "durable" }
  /** The store has everything that any thread had created when the thread asked for it. */
  | { readonly kind: "caughtUp"; readonly number: number }
  | { readonly kind: "granted"; readonly number: number; readonly answer: GrantAnswer }
  | { readonly kind: "question"; readonly number: number; readonly question: ThreadQuestion }
  /** Ends the thread at once, even with work in hand. */
  | { readonly kind: "end" }
  | { readonly kind: "exchange"; readonly id: number; readonly step: ExchangeStep };

/** Everything that gathered in a thread since the last batch. It becomes durable all together. */
export interface ThreadBatch {
  readonly kind: "batch";
  /** From 1, without gaps. */
  readonly number: number;
  /** null if there are none. */
  readonly events: PackedEvents | null;
  readonly operations: readonly SpendingOperation[];
  /** Results of `packContent`, in the form of `log`. */
  readonly contents: Uint8Array<ArrayBuffer> | null;
  /** Packed lines of the log, as `ByteWriter.packed` writes them; null if there are none. */
  readonly log: Uint8Array<ArrayBuffer> | null;
  readonly uses: readonly KeyLastUse[];
  /** True if something waits until the batch is durable. */
  readonly urgent: boolean;
}

export type FromThread =
  | ThreadBatch
  /** Everything is up; connections may come. */
  | { readonly kind: "ready"; readonly listener: ListenerDescriptor }
  | {
      readonly kind: "answer";
      readonly number: number;
      readonly answer: ThreadAnswer;
    }
  | { readonly kind: "request"; readonly request: HandedOverRequest }
  /** Answered with `caughtUp` and the same number. */
  | { readonly kind: "catchUp"; readonly number: number }
  /** Answered with `granted` and the same number. */
  | { readonly kind: "grant"; readonly number: number; readonly question: GrantQuestion }
  /** The client of a handed-over request has left. */
  | { readonly kind: "gone"; readonly id: number }
  /** The client can take more. */
  | { readonly kind: "drained"; readonly id: number };
