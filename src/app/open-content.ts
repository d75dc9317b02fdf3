import type { Contents, Retentions } from "../store/content/contents.ts";
import type { Erasures } from "../store/content/erasures.ts";
import { LmdbContents } from "../store/embedded/content/lmdb-contents.ts";
import { LmdbErasures } from "../store/embedded/content/lmdb-erasures.ts";
import type { OpenedLedger } from "../store/embedded/ledger/open-ledger.ts";
import type { Store } from "../store/embedded/store.ts";

/** What the readable content of requests needs. */
export interface ContentOptions extends Retentions {
  /** Resolves once everything has arrived that other threads had packed before the call. */
  readonly handedOver: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export interface OpenedContent {
  readonly contents: Contents;
  readonly erasures: Erasures;
  /** Call it when the erasures were stopped. */
  close(): Promise<void>;
}

/** The content of a gateway that shares no store. */
export function ownContent(
  store: Store,
  books: OpenedLedger,
  dataDir: string,
  options: ContentOptions,
): OpenedContent {
  const { onFailure } = options;
  const contents = new LmdbContents({ ...options, dataDir, halt: store.halt });
  const tables = store.journal;
  const erasures = new LmdbErasures({ journal: books.journal, contents, tables, onFailure });
  return { contents, erasures, close: () => contents.close() };
}
