import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { refuse } from "../../../contract/errors.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import {
  journalFileBytes,
  settlementFlushWaitMsMax,
  storeFreeBytesMin,
} from "../../../contract/limits.ts";
import { auditKey } from "../audit/audit-key.ts";
import { LmdbAuditLog, type AuditLog } from "../audit/audit-log.ts";
import { noteSigner } from "../../audit/signed-note.ts";
import { systemClock, type Clock } from "../../../runtime/clock.ts";
import { Journal } from "../../journal/journal.ts";
import type { PackedEvents } from "../../journal/packed-events.ts";
import { freeBytesAt, noRoom } from "../files/disk-room.ts";
import { FileAndThread } from "../journal/file-and-thread.ts";
import { JournalFile, journalPathIn } from "../journal/journal-file.ts";
import { ThreadWriter } from "../journal/thread-writer.ts";
import type { Store } from "../store.ts";
import { JournalLedger } from "./journal-ledger.ts";
import { lmdbLedgerReads } from "./ledger-reads.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { RefusedEntry } from "./refused-entries.ts";
import { SharedAccounts } from "../../ledger/shared-accounts.ts";
import type { SpendingOperation } from "../../ledger/spending.ts";
import type { SpendingThreads } from "../../ledger/spending-threads.ts";

export interface OpenLedgerOptions {
  readonly clock?: Clock;
  readonly billingUrl: () => string;
  /** The most live holds of one organization. */
  readonly holdsMax?: number;
  /** Called after failed flushes and when the writing thread died; both recover by themselves. */
  readonly onFailure: (error: unknown) => void;
  /** Called for every entry that the store refused; if absent, `onFailure` is called. */
  readonly onRefused?: (error: RefusedEntry) => void;
  /** Called when a failed write has finally succeeded. */
  readonly onRecovered?: () => void;
}

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** For `SharedAccounts` of other threads. */
  readonly accounts: SharedArrayBuffer;
  /** Takes over entries of another thread in their order; all of them become durable together. */
  takeOver(packed: PackedEvents | null, operations: readonly SpendingOperation[]): void;
  /** To be called once, before other threads spend. */
  shareWith(threads: SpendingThreads): void;
  readonly journal: Journal;
  readonly auditLog: AuditLog;
  /** Writes what is left and ends the writing thread; call it before the store is closed. */
  close(): Promise<void>;
}

/**
 * Opens the books in the store; they can be written when this resolves. From then on, until they are
 * closed, their thread writes all changes of the store. One ledger writes to a store at a time. Errors:
 * `internal_error` if the disk is full or the writing thread can't start.
 */
export async function openLedger(
  store: Store,
  options: OpenLedgerOptions,
): Promise<Outcome<OpenedLedger>> {
  const key = await auditKey(store);
  if (!key.ok) return key;
  let others: SpendingThreads | null = null;
  const thread = new ThreadWriter(store, key.value, options.onFailure);
  const ready = await thread.ready();
  if (!ready.ok) return ready;
  const file = openFile(dirname(store.databasePath));
  if (!file.ok) {
    await thread.close();
    return file;
  }
  const written = new FileAndThread(file.value, thread, store.halt);
  store.changesGoTo(written);
  const reads = lmdbLedgerReads(store.journal);
  const journal = new Journal({
    writer: written,
    lastBatch: reads.lastBatch,
    onFlushFailed: (reason) => {
      others?.flushFailed();
      options.onFailure(reason);
    },
    onFlush: () => others?.flushBegins() ?? (() => undefined),
    onFlushResumed: () => {
      others?.flushResumed();
      options.onRecovered?.();
    },
  });
  const accounts = new SharedAccounts();
  const ledger = new JournalLedger({
    journal,
    reads,
    accounts,
    others: async () => others?.handedOver(),
    clock: options.clock ?? systemClock,
    billingUrl: options.billingUrl,
    onFailure: options.onFailure,
    ...(options.onRefused === undefined ? {} : { onRefused: options.onRefused }),
    ...(options.holdsMax === undefined ? {} : { holdsMax: options.holdsMax }),
  });
  const { name, privateKeyPem } = key.value;
  const { verifierKey } = noteSigner(name, privateKeyPem);
  const auditLog = new LmdbAuditLog(store.journal, verifierKey, {
    caughtUp: () => ledger.caughtUp(),
    publish: async () => {
      // A checkpoint covers everything that any thread appended before the request for it.
      await others?.handedOver();
      await journal.flushedAll(settlementFlushWaitMsMax);
      return written.publish();
    },
  });
  return accept({
    ledger,
    accounts: accounts.buffer,
    takeOver: (packed, operations) => ledger.takeOver(packed, operations),
    shareWith: (threads) => {
      others = threads;
    },
    journal,
    auditLog,
    close: async () => {
      ledger.close();
      store.changesGoTo(null);
      await journal.close();
    },
  });
}

/** Errors: `internal_error` if there is no room for the file, or it can't be written. */
function openFile(directory: string): Outcome<JournalFile> {
  const path = journalPathIn(directory);
  const missing = existsSync(path) ? 0 : journalFileBytes;
  if (missing > 0 && freeBytesAt(directory)() < missing + storeFreeBytesMin) return noRoom;
  try {
    return accept(new JournalFile(path));
  } catch (error) {
    return refuse("internal_error", `The gateway's journal can't be opened: ${String(error)}`);
  }
}
