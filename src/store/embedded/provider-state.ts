import { retentionDaysDefault, providerStateRecentMax } from "../../contract/limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import {
  isBindable,
  type BindOperation,
  type ProviderState,
  type ProviderStateRow,
} from "../provider-state/provider-state.ts";

const dayMs = 86_400_000;

export interface ProviderStateOptions {
  readonly rows: {
    get(key: [orgId: string, id: string]): ProviderStateRow | undefined;
    /** What is read next is what the table has by then. */
    resetReadTxn(): void;
  };
  readonly clock: Clock;
  /** null: the default. */
  readonly retentionDays: (orgId: string) => number | null;
  /** Resolves when the rows have everything that any thread had created when it was called. Never rejects. */
  readonly catchUp: () => Promise<void>;
}

/** Reads LMDB. What this thread has created stands in memory too, until the journal's thread has written it. */
export class StoredProviderState implements ProviderState {
  readonly #options: ProviderStateOptions;
  /** The oldest first. */
  readonly #recent = new Map<string, ProviderStateRow>();
  #catchingUp: Promise<void> = Promise.resolve();
  /** Begins when the one before has ended; it is for all who ask until then. */
  #next: Promise<void> | null = null;

  constructor(options: ProviderStateOptions) {
    this.#options = options;
  }

  find(orgId: string, id: string): string | undefined {
    if (!isBindable(id)) return undefined;
    const { rows, clock, retentionDays } = this.#options;
    const row = this.#recent.get(nameOf(orgId, id)) ?? rows.get([orgId, id]);
    if (row === undefined) return undefined;
    const days = retentionDays(orgId) ?? retentionDaysDefault;
    return row.atMs < clock.wallMs() - days * dayMs ? undefined : row.account;
  }

  caughtUp(): Promise<void> {
    this.#next ??= this.#catchingUp.then(() => {
      this.#next = null;
      // lmdb keeps a read transaction for the rest of a turn. The journal's thread may have written in it.
      return (this.#catchingUp = this.#options.catchUp().then(() => {
        this.#options.rows.resetReadTxn();
      }));
    });
    return this.#next;
  }

  created({ orgId, account, ids, atMs }: BindOperation): void {
    for (const id of ids) {
      const name = nameOf(orgId, id);
      this.#recent.delete(name);
      this.#recent.set(name, { account, atMs });
    }
    for (const name of this.#recent.keys()) {
      if (this.#recent.size <= providerStateRecentMax) return;
      this.#recent.delete(name);
    }
  }
}

function nameOf(orgId: string, id: string): string {
  return `${orgId} ${id}`;
}
