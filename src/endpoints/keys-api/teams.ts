import type { ApiKey, Budget } from "../../contract/identity.ts";
import type { Team } from "../../contract/keys-api/team.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import {
  thresholdUnits,
  usageWindows,
  windowNamed,
  type UsageWindow,
} from "../../contract/usage-limit.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { budgetUse, type CurrentSpending } from "../../pipeline/limits/usage-view.ts";
import type { Keys } from "../../store/embedded/keys/keys.ts";
import type { Page, PageQuery } from "../../store/page.ts";
import { listAnswer } from "../list-page.ts";
import { answered, type Call, type Done } from "./endpoint.ts";
import { readPage } from "./page.ts";
import { cursorAt, FirstPlaces, markOf, readPlace, type Place } from "./place-cursor.ts";
import { readKeys } from "./read-keys.ts";
import { scopeOf, type FindOrganization } from "./scope.ts";

/** What the keys of a team say of it. */
interface NamedTeam {
  readonly orgId: string;
  readonly name: string;
  keys: number;
  revokedKeys: number;
  /** The smallest of each window, of active keys. */
  readonly budgets: Map<UsageWindow, Budget>;
}

/**
 * `GET /api/v1/gateway/teams`. Teams have no rows of their own: keys name them. So a call reads all keys of its
 * scope.
 */
export class TeamEndpoints {
  readonly #keys: Keys;
  readonly #findOrganization: FindOrganization;
  readonly #currentSpending: CurrentSpending;

  constructor(keys: Keys, findOrganization: FindOrganization, currentSpending: CurrentSpending) {
    this.#keys = keys;
    this.#findOrganization = findOrganization;
    this.#currentSpending = currentSpending;
  }

  /** Errors: `invalid_request`, `not_found`. */
  async list({ manager, query }: Call, exchange: Exchange): Promise<Outcome<Done>> {
    const page = readPage(query, null);
    if (!page.ok) return page;
    const scope = scopeOf(manager, query, this.#findOrganization);
    if (!scope.ok) return scope;
    const mark = markOf([scope.value.orgId ?? null]);
    const after = readPlace(page.value.cursor, mark, () => true);
    if (!after.ok) return after;
    const { limit } = page.value;
    const found = await this.#find(scope.value, after.value, limit + 1, exchange);
    if (!found.ok) return found;
    let next = 0;
    const read = async (part: PageQuery): Promise<Outcome<Page<Team>>> => {
      const teams = found.value.slice(next, Math.min(next + part.limit, limit));
      next += teams.length;
      const items = await Promise.all(teams.map((team) => this.#shown(team)));
      const last = items.at(-1);
      const isLast = last === undefined || next >= found.value.length;
      return accept({ items, nextCursor: isLast ? null : cursorAt([last.orgId, last.name], mark) });
    };
    return answered(listAnswer({ limit, cursor: null }, read));
  }

  async #find(
    scope: { readonly orgId?: string },
    after: Place | null,
    count: number,
    exchange: Exchange,
  ): Promise<Outcome<readonly NamedTeam[]>> {
    const teams = new Map<string, NamedTeam>();
    const isWanted = () => exchange.state === "open";
    const read = await readKeys(this.#keys, scope, isWanted, (key) => note(teams, key));
    if (!read.ok) return read;
    const first = new FirstPlaces<NamedTeam>(count, after);
    for (const team of teams.values()) first.add([team.orgId, team.name], team);
    return accept(first.rows().map(({ row }) => row));
  }

  async #shown({ orgId, name, keys, revokedKeys, budgets }: NamedTeam): Promise<Team> {
    const known = usageWindows.flatMap((window) => budgets.get(window) ?? []);
    const used = known.map((budget) => budgetUse(orgId, name, budget, this.#currentSpending));
    return { orgId, name, keys, revokedKeys, budgets: await Promise.all(used) };
  }
}

function note(teams: Map<string, NamedTeam>, { orgId, team, status }: ApiKey): void {
  if (team === null || orgId === null) return;
  const { name, budget } = team;
  // An organization's id contains no space.
  const id = `${orgId} ${name}`;
  let known = teams.get(id);
  if (known === undefined) {
    known = { orgId, name, keys: 0, revokedKeys: 0, budgets: new Map() };
    teams.set(id, known);
  }
  if (status === "revoked") {
    known.revokedKeys += 1;
    return;
  }
  known.keys += 1;
  if (budget === null) return;
  const window = windowNamed[budget.window];
  const before = known.budgets.get(window);
  if (before === undefined || capOf(budget) < capOf(before)) known.budgets.set(window, budget);
}

function capOf({ usd }: Budget): bigint {
  return thresholdUnits("cost", usd) ?? 0n;
}
