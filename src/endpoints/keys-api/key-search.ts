import { refuseParameter } from "../../contract/errors.ts";
import type { ApiKey } from "../../contract/identity.ts";
import {
  keyReadCost,
  keySearchCharsMax,
  keysReadPerPage,
  keysReadPerStep,
} from "../../contract/limits.ts";
import { keySorts, keyStatuses, type KeySort } from "../../contract/keys-api/api-key.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Answer } from "../../exchange/exchange.ts";
import type { Keys } from "../../store/embedded/keys/keys.ts";
import type { PageQuery } from "../../store/page.ts";
import { listAnswer, type PagePart } from "../list-page.ts";
import { cursorAt, FirstPlaces, markOf, readPlace, type Place } from "./place-cursor.ts";
import { readKeys } from "./read-keys.ts";

/** What a list of keys was asked for besides its scope and page. */
interface KeySearch {
  /** In lower case. */
  readonly text: string | null;
  readonly status: ApiKey["status"] | null;
  readonly sort: KeySort;
}

export interface SearchedKeys {
  readonly keys: Pick<Keys, "list" | "get">;
  /** Of which organization; absent: of all, and platform keys. */
  readonly scope: { readonly orgId?: string };
  /** False once nobody waits for the answer any more. */
  readonly isWanted: () => boolean;
}

/** null: the list is not searched and comes in the order of creation. Errors: `invalid_request`. */
export function readSearch(query: URLSearchParams): Outcome<KeySearch | null> {
  const [text, status, sort] = [query.get("q"), query.get("status"), query.get("sort")];
  if (text !== null && (text === "" || text.length > keySearchCharsMax)) {
    return refuseParameter("q", `q must be a text of 1 to ${keySearchCharsMax} characters.`);
  }
  const knownStatus = keyStatuses.find((known) => known === status) ?? null;
  if (status !== knownStatus) {
    return refuseParameter("status", `status must be one of ${keyStatuses.join(", ")}.`);
  }
  const knownSort = keySorts.find((known) => known === (sort ?? "createdAt"));
  if (knownSort === undefined) {
    return refuseParameter("sort", `sort must be one of ${keySorts.join(", ")}.`);
  }
  const isPlain = text === null && status === null && knownSort === "createdAt";
  if (isPlain) return accept(null);
  return accept({ text: text?.toLowerCase() ?? null, status: knownStatus, sort: knownSort });
}

/**
 * A page of the keys that a search finds. In the order of creation a page reads a bounded number of keys, and may
 * have few rows and still a `nextCursor`; in another order it reads all keys of the scope. Errors:
 * `invalid_request`.
 */
export async function searchKeys(
  searched: SearchedKeys,
  search: KeySearch,
  { limit, cursor }: PageQuery,
): Promise<Outcome<Answer>> {
  const { orgId = null } = searched.scope;
  const mark = markOf([orgId, search.text, search.status, search.sort]);
  const start = readPlace(cursor, mark, ([, id]) => keyId.test(id));
  if (!start.ok) return start;
  const isByCreation = search.sort === "createdAt" || search.sort === "-createdAt";
  if (isByCreation) {
    const after = start.value?.[1] ?? null;
    return listAnswer({ limit, cursor }, readByCreation(searched, search, after, mark));
  }
  const found = await findSorted(searched, search, start.value, limit + 1);
  if (!found.ok) return found;
  const read = readFound(searched.keys, found.value, mark, limit);
  return listAnswer({ limit, cursor: null }, read);
}

const keyId = /^key_[0-9a-f]{1,64}$/;

/** Whether the key passes: its name has the text, or its id or what is shown of its secret begins with it. */
function passes({ text, status }: KeySearch, { name, id, label, status: has }: ApiKey): boolean {
  if (status !== null && has !== status) return false;
  if (text === null) return true;
  return name.toLowerCase().includes(text) || id.startsWith(text) || label.startsWith(text);
}

type ReadPart = (query: PageQuery) => Promise<Outcome<PagePart<ApiKey>>>;

function readByCreation(
  { keys, scope }: SearchedKeys,
  search: KeySearch,
  after: string | null,
  mark: string,
): ReadPart {
  const newestFirst = search.sort === "-createdAt";
  let found: readonly ApiKey[] = [];
  let place = after;
  let read = 0;
  return async ({ limit }) => {
    let cost = 0;
    if (found.length === 0) {
      const part = { limit: keysReadPerStep, cursor: place, newestFirst };
      const listed = await keys.list({ ...scope, ...part });
      if (!listed.ok) return listed;
      found = listed.value.keys.filter((key) => passes(search, key));
      place = listed.value.nextCursor;
      read += listed.value.keys.length;
      cost = listed.value.keys.length * keyReadCost;
    }
    const items = found.slice(0, limit);
    found = found.slice(limit);
    const last = found.length > 0 ? (items.at(-1)?.id ?? null) : place;
    const nextCursor = last === null ? null : cursorAt(["", last], mark);
    return accept({ items, nextCursor, cost, endsPage: read >= keysReadPerPage });
  };
}

async function findSorted(
  { keys, scope, isWanted }: SearchedKeys,
  search: KeySearch,
  after: Place | null,
  count: number,
): Promise<Outcome<readonly Place[]>> {
  const first = new FirstPlaces<null>(count, after, search.sort.startsWith("-") ? -1 : 1);
  const isByName = search.sort.endsWith("name");
  const read = await readKeys(keys, scope, isWanted, (key) => {
    if (!passes(search, key)) return;
    const value = isByName ? key.name.toLowerCase() : (key.lastUsedAt ?? "");
    first.add([value, key.id], null);
  });
  return read.ok ? accept(first.rows().map(({ place }) => place)) : read;
}

/** Reads a page of `limit` rows; `found` has one more if there is a page after it. */
function readFound(
  keys: SearchedKeys["keys"],
  found: readonly Place[],
  mark: string,
  limit: number,
): ReadPart {
  let next = 0;
  return async ({ limit: rows }) => {
    const places = found.slice(next, Math.min(next + rows, limit));
    next += places.length;
    const items: ApiKey[] = [];
    for (const [, id] of places) {
      const key = await keys.get(id);
      if (!key.ok) return key;
      items.push(key.value);
    }
    const last = places.at(-1);
    const isLast = last === undefined || next >= found.length;
    return accept({ items, nextCursor: isLast ? null : cursorAt(last, mark) });
  };
}
