import { setTimeout as wait } from "node:timers/promises";
import { refuse } from "../../contract/errors.ts";
import { providerStateWaitMs, providerStateWaits } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { ProviderState } from "../../store/provider-state/provider-state.ts";
import type { Candidate } from "../routing/accounts.ts";
import type { StateId } from "./state-ids.ts";

type Find = Pick<ProviderState, "find">;

/**
 * The accounts that can serve a request that names what a provider stores: the one that made it, for the
 * organization that it was made for. Errors: `not_found` for an id that is unknown, another organization's, or
 * of another account than the rest of the request.
 */
export async function servingState(
  state: Find,
  orgId: string,
  ids: readonly StateId[],
  candidates: readonly Candidate[],
): Promise<Outcome<readonly Candidate[]>> {
  let left = candidates;
  for (const one of ids) {
    const account = await findSoon(state, orgId, one.id);
    left = left.filter((candidate) => candidate.account.name === account);
    if (left.length === 0) return unknownState(one.param);
  }
  return accept(left);
}

/**
 * The account that made it; undefined if this organization has made no such thing here. What another thread has
 * created a moment ago is not written yet, so an unknown id is looked up a few times.
 */
export async function findSoon(
  state: Find,
  orgId: string,
  id: string,
): Promise<string | undefined> {
  for (let tries = 0; ; tries++) {
    const account = state.find(orgId, id);
    if (account !== undefined || tries === providerStateWaits) return account;
    await wait(providerStateWaitMs);
  }
}

export function unknownState(param: string): Outcome<never> {
  return refuse(
    "not_found",
    `The id in "${param}" is not known here. Only what this organization has created through this gateway can be named, and only together with what the same account has made.`,
    { details: { param } },
  );
}
