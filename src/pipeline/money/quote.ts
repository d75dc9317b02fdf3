import { worstCaseMicroUsd } from "../../billing/worst-case.ts";
import { zeroUsd, type MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome, type Refused } from "../../contract/outcome.ts";
import type { Price } from "../../contract/pricing.ts";
import type { Wire } from "../../contract/wire.ts";
import type { Candidate } from "../routing/accounts.ts";
import { readWorstCaseRequest } from "./cost-bounds.ts";
import type { InspectedBody } from "../body/inspect.ts";

/** The price of a model, by the account's name for it; refuses `pricing_unavailable`. */
export type FindPrice = (provider: string, model: string, at: number) => Outcome<Price>;

/** The most that a request may cost, and the accounts that may serve it. */
export interface Quote {
  readonly estimate: MicroUsd;
  /** The accounts whose price is known, in order. */
  readonly candidates: readonly PricedCandidate[];
}

export interface PricedCandidate extends Candidate {
  /** undefined if the provider charges nothing. */
  readonly price: Price | undefined;
}

/**
 * The worst case over all accounts that may get the request: the reserved amount covers the dearest (design:
 * Forward). An account whose cost has no bound gets no request. Errors: those of `FindPrice` and
 * `worstCaseMicroUsd`, if no account is left.
 */
export function quote(
  candidates: readonly Candidate[],
  wire: Wire,
  body: InspectedBody,
  findPrice: FindPrice,
  at: number,
): Outcome<Quote> {
  const request = readWorstCaseRequest(wire, body);
  const priced: PricedCandidate[] = [];
  let estimate = zeroUsd;
  let refused: Refused | null = null;
  for (const candidate of candidates) {
    const price = findPrice(candidate.account.provider, candidate.model.id, at);
    if (!price.ok) {
      refused ??= withCure(price, candidate);
      continue;
    }
    const worst = worstCaseMicroUsd(request, price.value, at);
    if (!worst.ok) {
      refused ??= withCure(worst, candidate);
      continue;
    }
    priced.push({ ...candidate, price: price.value });
    if (worst.value > estimate) estimate = worst.value;
  }
  if (refused !== null && priced.length === 0) return refused;
  return accept({ estimate, candidates: priced });
}

/**
 * The status 503 looks like an outage that passes. But a missing price stays missing until somebody sets it.
 */
function withCure(refused: Refused, { account, model }: Candidate): Refused {
  const { refusal } = refused;
  if (refusal.code !== "pricing_unavailable") return refused;
  const message = `${refusal.message} Trying again does not help: the operator of the gateway must set the price of ${account.provider}/${model.id} under pricing.models in its configuration.`;
  return { ok: false, refusal: { ...refusal, message } };
}
