import type { Logger } from "pino";
import type { ProviderAccount } from "../contract/account.ts";
import { assumedEntry } from "../contract/pricing.ts";
import { catalogId, unusable } from "../pipeline/routing/accounts.ts";
import type { FindPrice } from "../pipeline/money/quote.ts";

/** A model that a service key can pay for, and a wire that it is served on. */
export interface PaidModel {
  /** `provider/model`. */
  readonly id: string;
  readonly wire: "chat" | "messages";
}

/** The first one that the accounts serve; null if there is none. `at` is milliseconds since 1970. */
export function firstPaidModel(
  accounts: readonly ProviderAccount[],
  findPrice: FindPrice,
  at: number,
): PaidModel | null {
  for (const account of accounts) {
    if (unusable(account) !== null) continue;
    const model = account.models.find(({ id }) => findPrice(account.provider, id, at).ok);
    const { wires } = account;
    const wire = wires.includes("chat") ? "chat" : wires.includes("messages") ? "messages" : null;
    if (model !== undefined && wire !== null) {
      return { id: catalogId({ account, model }), wire };
    }
  }
  return null;
}

/**
 * Warns of accounts whose credential is not set, and of models without a price. They stop no start, so
 * otherwise an operator would learn of them from a client.
 */
export function warnOfUnpaid(
  accounts: readonly ProviderAccount[],
  findPrice: FindPrice,
  at: number,
  logger: Logger,
): void {
  for (const account of accounts) {
    const refused = unusable(account);
    const models = account.models.filter(({ id }) => !findPrice(account.provider, id, at).ok);
    if (refused !== null) {
      const { code } = refused.refusal;
      const why = { account: account.name, error_code: code, ...missingVariable(account) };
      logger.warn(why, "an account's requests are refused");
    } else if (models.length > 0) {
      const ids = models.slice(0, modelsNamedMax).map(({ id }) => id);
      const { name, provider } = account;
      logger.warn(
        { account: name, error_code: "pricing_unavailable", provider, models: ids },
        `${models.length} models of an account have no price, and the service pays for none of their requests: pricing.models sets one; the account's provider says whose prices hold`,
      );
    }
  }
}

/**
 * Warns of each model that the price list doesn't name, and that is billed at the price of another entry: one
 * line per model. Nothing is refused, so otherwise an operator would learn of it from the provider's bill.
 */
export function warnOfAssumed(
  accounts: readonly ProviderAccount[],
  findPrice: FindPrice,
  at: number,
  logger: Logger,
): void {
  const told = new Set<string>();
  for (const { provider, models } of accounts) {
    for (const { id } of models) {
      const model = `${provider}/${id}`;
      const price = findPrice(provider, id, at);
      const entry = price.ok ? assumedEntry(price.value) : null;
      if (entry === null || told.has(model)) continue;
      told.add(model);
      logger.warn(
        { model, assumed_price: entry },
        `the price list has no ${model}, so it is billed at the price of ${entry}, which may be an older model's: pricing.models["${model}"] sets its own`,
      );
    }
  }
}

/** Names the variable that must be set; nothing if none is missing. */
function missingVariable(account: ProviderAccount): { readonly variable?: string } {
  const { credential, credentialVariable: variable } = account;
  return credential !== undefined || variable === null ? {} : { variable };
}

/** Keeps a line in the log readable. */
const modelsNamedMax = 20;
