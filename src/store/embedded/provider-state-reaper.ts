import type { Database } from "lmdb";
import {
  providerStateReapMs,
  providerStateReapPauseMs,
  providerStateReapRows,
  retentionDaysDefault,
} from "../../contract/limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Journal } from "../journal/journal.ts";
import type { ProviderStateRow } from "../provider-state/provider-state.ts";

const dayMs = 86_400_000;

export interface ProviderStateReaperOptions {
  readonly rows: Pick<Database<ProviderStateRow, [orgId: string, id: string]>, "getRange">;
  readonly journal: Pick<Journal, "accepting" | "append">;
  readonly clock: Clock;
  /** null: the default. */
  readonly retentionDays: (orgId: string) => number | null;
  /** Told if the store can't be read. The next step tries again. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Removes ids of provider state that are older than their organization's retention. They count as unknown
 * already, so nobody waits for it. It goes through the table a few rows at a time, and begins again from its
 * start an hour after its end. A crash loses nothing but its place.
 */
export class ProviderStateReaper {
  readonly #options: ProviderStateReaperOptions;
  #after: [orgId: string, id: string] | null = null;
  #timer: NodeJS.Timeout;

  constructor(options: ProviderStateReaperOptions) {
    this.#options = options;
    this.#timer = this.#later(providerStateReapMs);
  }

  /** Looks at the next rows. False: it was at the end of the table. */
  step(rowsMax = providerStateReapRows): boolean {
    const { rows, journal, clock, retentionDays } = this.#options;
    if (!journal.accepting) return true;
    const nowMs = clock.wallMs();
    const range = this.#after === null ? {} : { start: this.#after, exclusiveStart: true };
    const seen = Array.from(rows.getRange({ ...range, limit: rowsMax }));
    const keys = seen
      .filter(({ key, value }) => {
        const days = retentionDays(key[0]) ?? retentionDaysDefault;
        return value.atMs < nowMs - days * dayMs;
      })
      .map(({ key }) => key);
    if (keys.length > 0) journal.append([], [{ kind: "unbind", keys }]);
    const isEnd = seen.length < rowsMax;
    this.#after = isEnd ? null : (seen.at(-1)?.key ?? null);
    return !isEnd;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #later(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      let waitMs = providerStateReapMs;
      try {
        if (!this.step()) waitMs = providerStateReapPauseMs;
      } catch (error) {
        this.#options.onFailure(error);
      }
      this.#timer = this.#later(waitMs);
    }, ms).unref();
  }
}
