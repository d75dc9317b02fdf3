import type { ProviderAccount } from "../../contract/account.ts";
import { refuse } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { ProviderState } from "../../store/provider-state/provider-state.ts";
import type { Candidate } from "../routing/accounts.ts";
import type { StateId } from "./state-ids.ts";

type Find = Pick<ProviderState, "find" | "caughtUp">;

/**
 * The accounts that can serve a request that names what a provider stores: the one that made it, for the
 * organization that it was made for. An id that was not made here can only be known to an account that serves
 * this organization alone. Errors: `not_found` for an id that is unknown, another organization's, or of another
 * account than the rest of the request.
 */
export async function servingState(
  state: Find,
  orgId: string,
  ids: readonly StateId[],
  candidates: readonly Candidate[],
): Promise<Outcome<readonly Candidate[]>> {
  let left = candidates;
  for (const one of ids) {
    const mayBeNew = left.some(({ account }) => account.orgId === null);
    const account = await findSoon(state, orgId, one.id, mayBeNew);
    left = left.filter((candidate) => mayKnow(candidate.account, account, orgId));
    if (left.length === 0) return unknownState(one.param);
  }
  return accept(left);
}

/** `maker` is the account that made something for the organization here, or undefined. */
export function mayKnow(
  { name, orgId: dedicatedTo }: Pick<ProviderAccount, "name" | "orgId">,
  maker: string | undefined,
  orgId: string,
): boolean {
  return maker === undefined ? dedicatedTo === orgId : name === maker;
}

/**
 * The account that made it; undefined if this organization has made no such thing here. An unknown id waits
 * until what other threads have created a moment ago can be read, but for `waits` false.
 */
export async function findSoon(
  state: Find,
  orgId: string,
  id: string,
  waits = true,
): Promise<string | undefined> {
  const account = state.find(orgId, id);
  if (account !== undefined || !waits) return account;
  await state.caughtUp();
  return state.find(orgId, id);
}

export function unknownState(param: string): Outcome<never> {
  return refuse(
    "not_found",
    `The id in "${param}" is not known here. Only what this organization has created through this gateway can be named, and only together with what the same account has made.`,
    { details: { param } },
  );
}
