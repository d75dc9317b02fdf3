import { passthroughWindowSlots, settlementFlushWaitMsMax } from "../contract/limits.ts";
import type { RowChange } from "../store/embedded/store-draft.ts";
import type { Journal } from "../store/journal/journal.ts";
import type { SharedCalls } from "../store/shared/calls.ts";
import { SharedLimits } from "../store/shared/limits.ts";
import { EscrowedUsageWindows } from "../store/windows/escrowed-usage-windows.ts";
import { SharedRateWindows } from "../store/windows/shared-rate-windows.ts";
import {
  onceAMinute,
  tooManyAddresses,
  tooManyCallers,
  type OpenWindows,
  type WindowsFailed,
} from "./open-limits.ts";

export interface SharedLimitsServices {
  readonly journal: Journal;
  readonly calls: SharedCalls;
  /** Resolves when everything that requests have counted before is in the shared store, or can't be written now. */
  readonly flushed: () => Promise<void>;
  readonly failed: WindowsFailed;
  /** The shared store could not be asked. */
  readonly trouble: (error: unknown) => void;
}

/** Windows of limits that several gateways share, and what keeps this gateway's part of them. */
export function openSharedLimits(services: SharedLimitsServices): {
  readonly limits: SharedLimits;
  readonly windows: OpenWindows;
} {
  const { journal, calls, flushed, failed, trouble } = services;
  const rates = new SharedRateWindows({
    sharesLimits: true,
    onFull: onceAMinute(() => failed(null, tooManyCallers)),
  });
  const passthrough = new SharedRateWindows({
    ...{ sharesLimits: true, slots: passthroughWindowSlots },
    onFull: onceAMinute(() => failed(null, tooManyAddresses)),
  });
  for (const { timeline } of [rates, passthrough]) timeline.start();
  const usage = new EscrowedUsageWindows();
  const limits = new SharedLimits({
    ...{ calls, rates, passthrough, usage },
    append: (operation) => void journal.append([], [operation]),
    hurry: () => void journal.flushedAll(settlementFlushWaitMsMax),
  });
  return {
    limits,
    windows: {
      ...{ rates, passthrough, usage },
      grants: limits,
      used: async (cap) => {
        await flushed();
        return limits.used(cap);
      },
      buffers: {
        rates: rates.table.buffer,
        passthrough: passthrough.table.buffer,
        usage: usage.table.buffer,
      },
      forget: (caps) => void limits.forget(caps.map(({ id }) => id)).catch(trouble),
      close: () => Promise.resolve(limits.close()),
    },
  };
}

/** What limits may belong to that have changed with these rows: ids of organizations, keys and usage limits. */
export function idsIn(rows: readonly RowChange[]): readonly string[] {
  const limited = rows.filter(({ table }) => tablesWithLimits.has(table));
  return limited.flatMap(({ key, value }) => {
    const { orgId } = (value ?? {}) as { readonly orgId?: string | null };
    return orgId === undefined || orgId === null ? [String(key)] : [String(key), orgId];
  });
}

const tablesWithLimits: ReadonlySet<string> = new Set(["keys", "organizations", "usageLimits"]);
