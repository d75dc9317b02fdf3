import type { StoreChange } from "./changes.ts";
import type { KeyRecord } from "./keys/key-record.ts";
import type { KeySnapshotChange } from "./keys/key-snapshot.ts";
import type { MirrorChange } from "./mirror.ts";
import type { RowChange } from "./store-draft.ts";
import type { Generation, Tables } from "./tables.ts";

/** The tables that are kept in memory, by the number that grows with their changes. */
const generationOf: Partial<Record<keyof Tables, Generation>> = {
  keys: "keysGeneration",
  organizations: "organizationsGeneration",
  usageLimits: "usageLimitsGeneration",
  policies: "policiesGeneration",
  providers: "providersGeneration",
};

/** What the copies in memory must take in, after these rows were written by somebody else. */
export function* changesInMemory(rows: readonly RowChange[]): Iterable<StoreChange> {
  for (const [table, name] of Object.entries(generationOf)) {
    const changed = rows.filter((row) => row.table === table);
    const newest = rows.find((row) => row.table === "meta" && row.key === name)?.value;
    for (const [i, { key, value }] of changed.entries()) {
      // Each change of the table has raised the number by one.
      const generation = Number(newest ?? 0) - (changed.length - 1 - i);
      const id = String(key);
      const change: KeySnapshotChange | MirrorChange<unknown> =
        // A key is revoked, and never removed.
        name === "keysGeneration"
          ? { record: value as KeyRecord, generation }
          : { id, record: value, generation };
      yield { name, change };
    }
  }
}
