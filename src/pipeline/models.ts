import type { ApiKey } from "../contract/identity.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { Accounts } from "./accounts.ts";
import { authenticate, type FindKey } from "./authenticate.ts";
import type { Answer, RequestHead } from "./exchange.ts";
import { jsonAnswer } from "./refusal.ts";

/** When the list was made; models carry no date of their own here. ISO 8601 and Unix seconds. */
const listedAt = new Date();

/**
 * Whether a key may use a model: `model` is its catalog id, `provider/model`, or with own keys what
 * the upstream calls it; `aliases` are its other names (spec: Gateway key attributes). Names are
 * compared as they stand.
 */
export function mayUseModel(
  { allowedModels }: Pick<ApiKey, "allowedModels">,
  model: string,
  aliases: readonly string[],
): boolean {
  if (allowedModels === null) return true;
  return allowedModels.includes(model) || aliases.some((alias) => allowedModels.includes(alias));
}

/**
 * `GET /v1/models`: one list that serves both SDKs (design section 7), of the models that the key may
 * use. `?limit=` cuts it, as the messages SDK asks. Errors: those of authentication.
 */
export function listModels(
  head: RequestHead,
  accounts: Accounts,
  findKey: FindKey,
): Outcome<Answer> {
  const caller = authenticate(head, findKey);
  if (!caller.ok) return caller;
  const { key } = caller.value;
  const models = accounts.list((model, aliases) => mayUseModel(key, model, aliases));
  const limit = Number(new URLSearchParams(head.query).get("limit") ?? "");
  const page = Number.isInteger(limit) && limit > 0 ? models.slice(0, limit) : models;
  const body = {
    object: "list",
    data: page.map(({ id, provider }) => ({
      id,
      object: "model",
      created: Math.floor(listedAt.getTime() / 1000),
      owned_by: provider,
      type: "model",
      display_name: id,
      created_at: listedAt.toISOString(),
    })),
    has_more: page.length < models.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
  return accept(jsonAnswer(JSON.stringify(body)));
}
