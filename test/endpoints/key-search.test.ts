import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiKey } from "../../src/contract/identity.ts";
import { keySorts, keyStatuses } from "../../src/contract/keys-api/api-key.ts";
import { keysReadPerPage, keysReadPerStep } from "../../src/contract/limits.ts";
import { refuse } from "../../src/contract/errors.ts";
import { accept } from "../../src/contract/outcome.ts";
import {
  readSearch,
  searchKeys,
  type SearchedKeys,
} from "../../src/endpoints/keys-api/key-search.ts";
import type { KeysQuery } from "../../src/store/embedded/keys/keys.ts";
import { valueOf } from "../store/temporary-store.ts";

type Sorted = Pick<ApiKey, "id" | "name" | "label" | "status" | "lastUsedAt">;

function keyOf(sorted: Sorted): ApiKey {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    orgId: "org_1",
    role: "member",
    rateLimit: null,
    allowedModels: null,
    securityPolicyId: null,
    team: null,
    responseCache: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: null,
    ...sorted,
  };
}

/** Keys in the order of their ids, as the store lists them. `reads` are the numbers of keys of each read. */
function stored(all: readonly ApiKey[]) {
  const reads: number[] = [];
  const keys: SearchedKeys["keys"] = {
    list: ({ limit, cursor, newestFirst = false }: KeysQuery) => {
      const ordered = newestFirst ? all.toReversed() : all;
      const start = cursor === null ? 0 : ordered.findIndex(({ id }) => id === cursor) + 1;
      const page = ordered.slice(start, start + limit);
      reads.push(page.length);
      const isLast = start + limit >= ordered.length;
      return accept({ keys: page, nextCursor: isLast ? null : (page.at(-1)?.id ?? null) });
    },
    get: (id) => {
      const found = all.find((key) => key.id === id);
      return found === undefined ? refuse("not_found", "There is no such key.") : accept(found);
    },
  };
  return { keys, reads };
}

interface ShownPage {
  readonly data: readonly ApiKey[];
  readonly nextCursor: string | null;
}

async function pageOf(
  keys: SearchedKeys["keys"],
  query: string,
  limit: number,
  cursor: string | null,
) {
  const search = valueOf(readSearch(new URLSearchParams(query)));
  if (search === null) throw new Error("not a search");
  const searched = { keys, scope: {}, isWanted: () => true };
  const answer = valueOf(await searchKeys(searched, search, { limit, cursor }));
  // The list's own JSON.
  return JSON.parse(String(answer.body)) as ShownPage;
}

async function idsOf(keys: SearchedKeys["keys"], query: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: ShownPage = await pageOf(keys, query, limit, cursor);
    expect(page.data.length).toBeLessThanOrEqual(limit);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids;
}

function numbered(index: number): string {
  return index.toString(16).padStart(32, "0");
}

const keysArbitrary = fc
  .array(
    fc.record({
      name: fc.constantFrom("a", "A", "ab", "b", "\u00e9", "\u{1f511}", "web \u00c9"),
      label: fc.constantFrom("sk-gw-0e6…1c96", "sk-gw-a01…0000"),
      status: fc.constantFrom(...keyStatuses),
      lastUsedAt: fc.constantFrom(null, "2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"),
    }),
    { maxLength: 200 },
  )
  .map((rows) => rows.map((row, index) => keyOf({ ...row, id: `key_${numbered(index)}` })));

test("pages of any size hold what a search finds, each key once, in its order", async () => {
  await fc.assert(
    fc.asyncProperty(
      keysArbitrary,
      fc.constantFrom(...keySorts),
      fc.constantFrom(null, ...keyStatuses),
      fc.constantFrom(null, "a", "\u00c9", "sk-gw-0", "key_0000000000000000000000000000000"),
      fc.integer({ min: 1, max: 90 }),
      async (all, sort, status, text, limit) => {
        const query = new URLSearchParams({ sort });
        if (status !== null) query.set("status", status);
        if (text !== null) query.set("q", text);
        if (valueOf(readSearch(query)) === null) return;
        const lower = text?.toLowerCase() ?? "";
        const found = all.filter(
          ({ id, name, label, status: has }) =>
            (status === null || has === status) &&
            [
              name.toLowerCase().includes(lower),
              id.startsWith(lower),
              label.startsWith(lower),
            ].some(Boolean),
        );
        const member = sort.replace("-", "") as "createdAt" | "name" | "lastUsedAt";
        const valueIn = (key: ApiKey): string =>
          member === "createdAt" ? "" : (key[member] ?? "").toLowerCase();
        const order = (a: ApiKey, b: ApiKey): number =>
          valueIn(a) < valueIn(b) || (valueIn(a) === valueIn(b) && a.id < b.id) ? -1 : 1;
        const expected = found.toSorted(order).map(({ id }) => id);
        if (sort.startsWith("-")) expected.reverse();
        expect(await idsOf(stored(all).keys, query.toString(), limit)).toEqual(expected);
      },
    ),
  );
});

test("a page in the order of creation reads a bounded number of keys", async () => {
  const key = (index: number) =>
    keyOf({
      id: `key_${numbered(index)}`,
      name: "k",
      label: "l",
      status: "active",
      lastUsedAt: null,
    });
  const count = keysReadPerPage + 100;
  const all = Array.from({ length: count }, (_, index) => key(index));
  const wanted = keyOf({ ...key(0), name: "wanted" });
  const { keys, reads } = stored([wanted, ...all.slice(1)]);
  const first = await pageOf(keys, "q=wanted&sort=-createdAt", 10, null);
  expect(first.data).toEqual([]);
  expect(first.nextCursor).not.toBeNull();
  expect(reads.reduce((sum, read) => sum + read, 0)).toBeLessThan(
    keysReadPerPage + keysReadPerStep,
  );
  const second = await pageOf(keys, "q=wanted&sort=-createdAt", 10, first.nextCursor);
  expect(second).toEqual({ data: [wanted], nextCursor: null });
});

test("nobody is read on for who has left", async () => {
  const all = Array.from({ length: 500 }, (_, index) =>
    keyOf({
      id: `key_${numbered(index)}`,
      name: "k",
      label: "l",
      status: "active",
      lastUsedAt: null,
    }),
  );
  const { keys, reads } = stored(all);
  const search = valueOf(readSearch(new URLSearchParams("sort=name")));
  if (search === null) throw new Error("not a search");
  await searchKeys({ keys, scope: {}, isWanted: () => false }, search, { limit: 10, cursor: null });
  expect(reads).toEqual([keysReadPerStep]);
});
