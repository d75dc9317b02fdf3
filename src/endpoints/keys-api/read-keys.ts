import type { ApiKey } from "../../contract/identity.ts";
import { keyReadCost, keysReadPerStep } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { listShare } from "../../runtime/turn-share.ts";
import type { Keys, KeysQuery } from "../../store/embedded/keys/keys.ts";

/**
 * Reads all keys of a scope, revoked ones too, a few at a time in the turns that all lists share. Ends early once
 * `isWanted` says no. Errors: those of `Keys.list`.
 */
export async function readKeys(
  keys: Pick<Keys, "list">,
  scope: Pick<KeysQuery, "orgId">,
  isWanted: () => boolean,
  read: (key: ApiKey) => void,
): Promise<Outcome<null>> {
  let cursor: string | null = null;
  do {
    const query: KeysQuery = { ...scope, limit: keysReadPerStep, cursor };
    const listed = await listShare.run(async () => {
      const page = await keys.list(query);
      return { value: page, cost: keysReadPerStep * keyReadCost };
    });
    if (!listed.ok) return listed;
    for (const key of listed.value.keys) read(key);
    cursor = listed.value.nextCursor;
  } while (cursor !== null && isWanted());
  return accept(null);
}
