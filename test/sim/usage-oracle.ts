import type { UsageLimit } from "../../src/contract/usage-limit.ts";
import { windowOfLimit } from "../../src/pipeline/limits/usage-caps.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { openUsageWindows } from "../../src/store/windows/open-windows.ts";
import type { UsageWindows } from "../../src/store/windows/usage-windows.ts";
import type { MemoryStore } from "./memory-store.ts";

/** Windows that a gateway and its oracle have room for. */
export const usageSlots = 64;

/** A limit of each type, over a window that no world outlives. */
const limits = new Map<string, readonly UsageLimit[]>();

/** The same array each time, as the store gives it. */
export function usageLimitsOf(orgId: string): readonly UsageLimit[] {
  const known = limits.get(orgId);
  if (known !== undefined) return known;
  const made = (["cost", "tokens", "requests"] as const).map((limitType): UsageLimit => {
    const createdAt = "2026-01-01T00:00:00.000Z";
    return {
      id: `limit-${limitType}-${orgId}`,
      orgId,
      name: limitType,
      limitType,
      // Now and then requests are refused for it.
      threshold: limitType === "requests" ? "100" : "1000000",
      timeWindow: "1 month",
      apiKeyId: null,
      enabled: true,
      createdAt,
      updatedAt: createdAt,
    };
  });
  limits.set(orgId, made);
  return made;
}

/** What usage limits must say of the books, from outside: what is durable of the one is so of the other. */
export class UsageOracle {
  readonly #fail: (violation: string) => void;
  /** Model requests that were sent, by organization. */
  readonly #sent = new Map<string, Set<string>>();
  /** Windows follow the wall clock over a restart: once it was set nobody knows what has left them. */
  #clockWasSet = false;

  constructor(fail: (violation: string) => void) {
    this.#fail = fail;
  }

  sent(orgId: string, requestId: string): void {
    const sent = this.#sent.get(orgId) ?? new Set();
    this.#sent.set(orgId, sent.add(requestId));
  }

  clockIsSet(): void {
    this.#clockWasSet = true;
  }

  /** A crash leaves every debit counted, once. */
  durableStore(durable: MemoryStore, clock: Clock): void {
    const nowhere = { accepting: false, append: () => undefined };
    const windows = openUsageWindows(durable.tables, nowhere, { slots: usageSlots, clock });
    windows.close();
    this.started(windows, durable);
  }

  /** A gateway that has just started, or is at rest, has in memory what is durable. */
  started(windows: Pick<UsageWindows, "used">, durable: MemoryStore): void {
    if (this.#clockWasSet) return;
    for (const [orgId, sent] of this.#sent) {
      const [cost = 0n, , requests = 0n] = usageLimitsOf(orgId).map((limit) =>
        windows.used(windowOfLimit(limit)),
      );
      const isRefund = (id: string): boolean =>
        (durable.reads.entryByKey(orgId, id)?.type ?? "debit") !== "debit";
      const recorded = Array.from(sent)
        .filter((id) => !isRefund(id))
        .map((id) => durable.recordedCharge(orgId, id))
        .filter((charge) => charge !== undefined);
      const charged = recorded.reduce((sum, charge) => sum + charge, 0n);
      if (cost !== charged) this.#fail(`${orgId}: ${charged} is in the books, ${cost} was counted`);
      if (requests < recorded.length || requests > sent.size) {
        this.#fail(`${orgId}: ${recorded.length} of ${sent.size} paid, ${requests} were counted`);
      }
    }
  }
}
