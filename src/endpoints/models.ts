import { refuse, refuseParameter } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { Model } from "../contract/service-schemas.ts";
import type { Accounts, ListedModel } from "../pipeline/routing/accounts.ts";
import { authenticate, type FindKey } from "../pipeline/caller/authenticate.ts";
import type { Answer, RequestHead } from "../exchange/exchange.ts";
import { jsonAnswer } from "../exchange/refusal.ts";

/** When the list was made, in ISO 8601 and Unix seconds. Models have no date of their own here. */
const listedAt = new Date();

/**
 * `GET /v1/models`: one list for both SDKs (design section 7). It has the models that the key may use, in
 * pages as the messages SDK asks for them. Errors: those of authentication, `invalid_request` if a page's
 * cursor is a model that is not in the list.
 */
export function listModels(
  head: RequestHead,
  accounts: Accounts,
  findKey: FindKey,
): Outcome<Answer> {
  const caller = authenticate(head, findKey);
  if (!caller.ok) return caller;
  const { key } = caller.value;
  const models = accounts.list(key);
  const page = pageOf(models, new URLSearchParams(head.query));
  if (!page.ok) return page;
  const { listed, hasMore } = page.value;
  const body = {
    object: "list",
    data: listed.map(rowOf),
    has_more: hasMore,
    first_id: listed[0]?.id ?? null,
    last_id: listed.at(-1)?.id ?? null,
  };
  return accept(jsonAnswer(JSON.stringify(body)));
}

/**
 * `GET /v1/models/{id}`: the model that a request with this name would use. `name` is as sent, its slash
 * encoded or not. Errors: those of authentication, `not_found`, also for a model that the key may not use.
 */
export function getModel(
  head: RequestHead,
  name: string,
  accounts: Accounts,
  findKey: FindKey,
): Outcome<Answer> {
  const caller = authenticate(head, findKey);
  if (!caller.ok) return caller;
  const { key } = caller.value;
  const found = accounts.find(decoded(name), key);
  return found === null
    ? refuse("not_found", "There is no such model; GET /v1/models lists all.")
    : accept(jsonAnswer(JSON.stringify(rowOf(found))));
}

/** A name with a wrong escape is no model's. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function rowOf({ id, provider }: ListedModel): Model {
  return {
    id,
    object: "model",
    created: Math.floor(listedAt.getTime() / 1000),
    owned_by: provider,
    type: "model",
    display_name: id,
    created_at: listedAt.toISOString(),
  };
}

interface ModelPage {
  readonly listed: readonly ListedModel[];
  /** True if there are more in the direction of reading. */
  readonly hasMore: boolean;
}

/**
 * `after_id` continues after a model, `before_id` goes back from one. `limit` is the number of models;
 * without it, all.
 */
function pageOf(models: readonly ListedModel[], query: URLSearchParams): Outcome<ModelPage> {
  const [after, before] = [query.get("after_id"), query.get("before_id")];
  const start = after === null ? 0 : models.findIndex(({ id }) => id === after) + 1;
  const end = before === null ? models.length : models.findIndex(({ id }) => id === before);
  if ((after !== null && start === 0) || end < 0) {
    const param = end < 0 ? "before_id" : "after_id";
    return refuseParameter(param, `The parameter ${param} must name a model of the list.`);
  }
  const all = models.slice(start, end);
  const limit = query.get("limit");
  if (limit === null) return accept({ listed: all, hasMore: false });
  const most = Number(limit);
  if (!/^\d{1,9}$/.test(limit) || most === 0) {
    return refuseParameter("limit", "limit must be a whole number of at least 1.");
  }
  const listed = before === null ? all.slice(0, most) : all.slice(-most);
  return accept({ listed, hasMore: listed.length < all.length });
}
