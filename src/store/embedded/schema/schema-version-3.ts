import type { Tables } from "../tables.ts";

/** Keys say whether they use the response cache; older keys do not use it. */
export function migrateToVersion3({ keys }: Tables): void {
  for (const { key: id, value } of Array.from(keys.getRange())) {
    keys.putSync(id, { ...value, key: { ...value.key, responseCache: null } });
  }
}
