import type { MetricObject } from "prom-client";
import type { FileAccounts } from "../contract/account.ts";
import type { Configuration } from "../contract/configuration.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Answer, FlatHeaders, RequestHead } from "../exchange/exchange.ts";
import type { PathParameters } from "../pipeline/routes.ts";
import type { ListenerDescriptor } from "../proxy/listener/server.ts";
import type { StoreChange } from "../store/embedded/changes.ts";
import type { PackedContents } from "../store/embedded/content/contents.ts";
import type { PackedEvents } from "../store/journal/packed-events.ts";
import type { KeyLastUse } from "../store/keys/key-uses.ts";
import type { SpendingOperation } from "../store/ledger/spending.ts";

/** By path pattern: the methods of the routes that the main thread serves for all. */
export type HandedOverRoutes = Readonly<Record<string, readonly string[]>>;

/** What other threads are handed to count in the same windows. */
export interface WindowBuffers {
  readonly rates: SharedArrayBuffer;
  readonly passthrough: SharedArrayBuffer;
  readonly usage: SharedArrayBuffer;
}

/** What a proxy thread is started with. */
export interface ThreadStart {
  /** From 0; the main thread has none. */
  readonly index: number;
  /** Beside the main thread. */
  readonly threads: number;
  /** With the thread's share of what is bounded for the whole process. */
  readonly configuration: Configuration;
  readonly fileAccounts: FileAccounts;
  readonly databasePath: string;
  readonly windows: WindowBuffers;
  readonly accounts: SharedArrayBuffer;
  readonly writeHalt: SharedArrayBuffer;
  readonly words: SharedArrayBuffer;
  readonly boundPort: SharedArrayBuffer;
  readonly handedOver: HandedOverRoutes;
}

/** A request whose route the main thread serves. */
export interface HandedOverRequest {
  /** The thread's own number of it. */
  readonly id: number;
  readonly pattern: string;
  readonly method: string;
  readonly parameters: PathParameters;
  readonly requestId: string;
  readonly head: RequestHead;
  readonly remoteAddress: string;
  /** Since it arrived. */
  readonly ageMs: number;
  /** null: the request has none, or its caller is nobody. */
  readonly body: Outcome<Uint8Array> | null;
  /** Its client left before it was handed over. */
  readonly isGone: boolean;
}

/** What the main thread does with the exchange of a request that it serves. */
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

/** What the main thread wants to know; each is answered once, in order. */
export type Question =
  /** All that was sent before has been taken in, and all that waited has been posted. */
  | { readonly about: "sync" }
  | { readonly about: "metrics" }
  /** Lets open exchanges finish, then ends everything; the last question. */
  | { readonly about: "drained"; readonly waitMsMax: number };

export type ToThread =
  | { readonly kind: "change"; readonly change: StoreChange }
  | { readonly kind: "forgetCached"; readonly orgId: string }
  /** A batch that the thread waits for is durable. */
  | { readonly kind: "durable" }
  | { readonly kind: "question"; readonly number: number; readonly question: Question }
  /** Ends the thread at once, whatever it has in hand. */
  | { readonly kind: "end" }
  | { readonly kind: "exchange"; readonly id: number; readonly step: ExchangeStep };

/** What gathered in a thread since the batch before; durable all together. */
export interface ThreadBatch {
  readonly kind: "batch";
  /** From 1, without a gap. */
  readonly number: number;
  /** null: none. */
  readonly events: PackedEvents | null;
  readonly operations: readonly SpendingOperation[];
  readonly contents: PackedContents | null;
  /** Lines of the log. */
  readonly log: string;
  readonly uses: readonly KeyLastUse[];
  /** Somebody waits until it is durable. */
  readonly urgent: boolean;
}

export type FromThread =
  | ThreadBatch
  /** Everything is up; connections may come. */
  | { readonly kind: "ready"; readonly listener: ListenerDescriptor }
  | {
      readonly kind: "answer";
      readonly number: number;
      readonly metrics: readonly MetricObject[];
    }
  | { readonly kind: "request"; readonly request: HandedOverRequest }
  /** The client of a handed-over request has left. */
  | { readonly kind: "gone"; readonly id: number }
  /** Its client takes more. */
  | { readonly kind: "drained"; readonly id: number };
