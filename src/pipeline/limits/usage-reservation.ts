import { refuse } from "../../contract/errors.ts";
import type { Organization } from "../../contract/identity.ts";
import { accept, type Outcome, type Refused } from "../../contract/outcome.ts";
import {
  inputTokens,
  outputTokens,
  type Cost,
  type UsageBuckets,
  type UsageReport,
} from "../../contract/usage.ts";
import { usageText, type UsageLimit } from "../../contract/usage-limit.ts";
import { countersBusy } from "../../store/slots/counters-busy.ts";
import { reserveUsage } from "../../store/windows/granted-limits.ts";
import type { LimitGrants } from "../../store/windows/limit-grants.ts";
import type { UsageOperation } from "../../store/windows/usage-count.ts";
import type {
  UsageAmounts,
  UsageDecision,
  ReservedUsage,
  UsageWindows,
} from "../../store/windows/usage-windows.ts";
import type { OrganizationKey } from "../caller/authenticate.ts";
import type { Attempt } from "../../exchange/exchange.ts";
import type { LimitRejections } from "../record/limit-kind.ts";
import { capsOf, type CallerCap } from "./usage-caps.ts";
import { waitText } from "./wait-text.ts";

export interface UsageLimitServices {
  readonly windows: UsageWindows;
  /** Asks for more of limits that several gateways share; null: they are this gateway's own. */
  readonly grants: LimitGrants | null;
  readonly findOrganization: (id: string) => Organization | undefined;
  /** The enabled limits of a caller. */
  readonly limitsFor: (orgId: string, apiKeyId: string) => readonly UsageLimit[];
  readonly rejected: LimitRejections;
  /** Writes counts that belong to no debit. */
  readonly count: (usage: UsageOperation) => void;
}

/**
 * One request's share of its caller's usage limits and budgets (spec: Rate limits 5). The worst case is
 * reserved before the upstream call, and replaced once by what was used. `end` must be called however the
 * request ends. If it is called before an attempt, nothing counts.
 */
export class UsageReservation {
  readonly #services: UsageLimitServices;
  #reservation: ReservedUsage | null = null;
  #outcome: "refused" | "failed" | "served" = "refused";
  #buckets: UsageBuckets | null = null;

  constructor(services: UsageLimitServices) {
    this.#services = services;
  }

  /**
   * Errors: `usage_limit_exceeded`, `budget_exceeded`; `internal_error` if there is no room for the counts,
   * `detector_unavailable` if the request can't be counted at the moment.
   */
  reserve(key: OrganizationKey, worst: UsageAmounts): Outcome<null> | Promise<Outcome<null>> {
    const { windows, grants, findOrganization, limitsFor } = this.#services;
    const caps = capsOf(limitsFor(key.orgId, key.id), findOrganization(key.orgId), key);
    if (caps.length === 0) return accept(null);
    const decision = reserveUsage(windows, caps, worst, grants);
    return decision instanceof Promise
      ? decision.then((came) => this.#decided(caps, came))
      : this.#decided(caps, decision);
  }

  #decided(caps: readonly CallerCap[], decision: UsageDecision): Outcome<null> {
    if (!decision.admitted) return this.#refuse(caps, decision);
    this.#reservation = decision.reservation;
    if (decision.counted !== null) this.#services.count(decision.counted);
    return accept(null);
  }

  /** True if a limit needs to know how many tokens the answer has used. */
  get limitsTokens(): boolean {
    return this.#reservation?.held.some(({ cap }) => cap.type === "tokens") === true;
  }

  /** Notes the usage that an answer reports, if nothing is billed. */
  answered({ buckets }: UsageReport): void {
    this.#buckets = buckets;
  }

  /**
   * Notes the result of a call. A call that reached a provider counts as a request, whatever the answer. An
   * answer that is still buffered here does not count as served; `served` says that it goes to the client.
   */
  attempted(attempt: Attempt): void {
    if (wasSent(attempt)) this.#outcome = isServed(attempt) ? "served" : "failed";
  }

  /** Notes that the client gets a good answer. */
  served(): void {
    this.#outcome = "served";
  }

  /**
   * Ends the reservation with the answer's usage and cost, and returns the operations to write with its
   * debit.
   */
  settle(cost: Cost): readonly UsageOperation[] {
    const counted = this.#end(cost);
    return counted === null ? nothing : [counted];
  }

  /** `cost` is the answer's usage and cost; null if nothing was billed. */
  end(cost: Cost | null): void {
    const counted = this.#end(cost);
    if (counted !== null) this.#services.count(counted);
  }

  #end(cost: Cost | null): UsageOperation | null {
    const reservation = this.#reservation;
    if (reservation === null) return null;
    const { windows } = this.#services;
    return this.#outcome === "refused"
      ? windows.release(reservation)
      : windows.settle(reservation, this.#used(reservation.worst, cost));
  }

  /**
   * This is the only place that decides about unknown usage: the tokens of an answer then count as the worst
   * case, and the tokens of a failed call count as none.
   */
  #used({ requests, tokens }: UsageAmounts, cost: Cost | null): UsageAmounts {
    const buckets = cost?.buckets ?? this.#buckets;
    const unknown = this.#outcome === "served" ? tokens : 0n;
    return {
      costMicroUsd: cost?.costMicroUsd ?? 0n,
      tokens: buckets === null ? unknown : BigInt(inputTokens(buckets) + outputTokens(buckets)),
      requests,
    };
  }

  #refuse(
    caps: readonly CallerCap[],
    decision: Extract<UsageDecision, { admitted: false }>,
  ): Refused {
    if (decision.refusedAt === null) return decision.because === "busy" ? countersBusy : noRoom;
    const cap = caps[decision.refusedAt];
    if (cap === undefined) throw new Error("an unknown cap refused");
    const { type, window, source, thresholdText } = cap;
    this.#services.rejected(source === "usage" ? `usage_${type}` : source);
    const more = {
      details: {
        limitType: type,
        threshold: thresholdText,
        currentUsage: usageText(type, decision.usage),
        timeWindow: window,
      },
      retryAfterSeconds: decision.retryAfterSeconds,
    };
    if (source === "usage") {
      const what = type === "cost" ? "US dollars" : type;
      const message =
        `Usage limit exceeded: ${thresholdText} ${what} per rolling ${window}. ` +
        `There may be room again in ${waitText(decision.retryAfterSeconds)}.`;
      return refuse("usage_limit_exceeded", message, more);
    }
    const whose = source === "budget_org" ? "organization" : "team";
    const message = `The ${whose}'s budget of ${thresholdText} US dollars per rolling ${window} leaves too little for what this request may cost at most.`;
    return refuse("budget_exceeded", message, more);
  }
}

const nothing: readonly UsageOperation[] = [];

const noRoom = refuse("internal_error", "The gateway has no room to count this usage limit in.");

function wasSent(attempt: Attempt): boolean {
  return attempt.kind === "abandoned"
    ? attempt.connectFailed === undefined
    : attempt.kind !== "unsent";
}

/** A client that leaves does not make the call a failed one. Otherwise its tokens would never count. */
function isServed(attempt: Attempt): boolean {
  if (attempt.kind === "relayed") {
    return attempt.status < 300 && (attempt.end === "complete" || attempt.end === "abandoned");
  }
  return attempt.kind === "abandoned";
}
