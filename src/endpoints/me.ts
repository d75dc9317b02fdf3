import type { ApiKey, Organization } from "../contract/identity.ts";
import type { Balance, MeAnswer } from "../contract/keys-api/me.ts";
import { formatUsd } from "../contract/money.ts";
import type { AccountBalance as LedgerBalance } from "../store/ledger/ledger.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { UsageLimit } from "../contract/usage-limit.ts";
import { authenticate, type FindKey } from "../pipeline/caller/authenticate.ts";
import type { Answer, RequestHead } from "../exchange/exchange.ts";
import { jsonAnswer } from "../exchange/refusal.ts";
import { usageView, type CurrentUsage } from "../pipeline/limits/usage-view.ts";

export interface MeServices {
  readonly findKey: FindKey;
  /** The key as the keys API shows it, with its last use. */
  readonly shownKey: (id: string) => Outcome<ApiKey> | Promise<Outcome<ApiKey>>;
  readonly findOrganization: (id: string) => Organization | undefined;
  readonly limitsFor: (orgId: string, apiKeyId: string) => readonly UsageLimit[];
  readonly currentUsage: CurrentUsage;
  /** null if no balance is kept. */
  readonly balance: (orgId: string) => Promise<Balance | null>;
}

/**
 * `GET /v1/me`: the key's organization, attributes, limits with their use, balance (design section
 * 7). Errors: those of authentication.
 */
export async function me(head: RequestHead, services: MeServices): Promise<Outcome<Answer>> {
  const caller = authenticate(head, services.findKey);
  if (!caller.ok) return caller;
  const { key } = caller.value;
  const shown = await services.shownKey(key.id);
  if (!shown.ok) return shown;
  const organization = services.findOrganization(key.orgId);
  // A key is always made with an organization, and organizations are never deleted.
  if (organization === undefined) throw new Error("a key without an organization was found");
  const { id, name, plan, rateLimit, budget, payg } = organization;
  const limits = services.limitsFor(key.orgId, key.id).map(async (limit) => ({
    ...(await usageView(limit, services.currentUsage)),
    name: limit.name,
    apiKeyId: limit.apiKeyId,
  }));
  const allowedModels = key.allowedModels === null ? null : [...key.allowedModels];
  const body: MeAnswer = {
    data: {
      organization: { id, name, plan, rateLimit, budget, payg },
      key: { ...shown.value, allowedModels },
      limits: await Promise.all(limits),
      balance: await services.balance(key.orgId),
    },
  };
  return accept(jsonAnswer(JSON.stringify(body)));
}

/** The balance as shown; null if no account is open. */
export function shownBalance(balance: LedgerBalance | undefined): Balance | null {
  if (balance === undefined) return null;
  return {
    balanceUsd: formatUsd(balance.balance),
    availableUsd: formatUsd(balance.available),
  };
}
