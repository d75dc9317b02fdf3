import type { Tables } from "../tables.ts";

/** Keys say whether they use the response cache; those that were made before do not. */
export function migrateToVersion3({ keys }: Tables): void {
  for (const { key: id, value } of Array.from(keys.getRange())) {
    keys.putSync(id, { ...value, key: { ...value.key, responseCache: null } });
  }
}
