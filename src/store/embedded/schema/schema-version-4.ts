import { debtsPerMigrationStep } from "../../../contract/limits.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";
import type { Tables } from "../tables.ts";

/**
 * Debts get their order by age. The journal's thread indexes the times of existing audit events later,
 * because there may be millions of them.
 */
export function migrateToVersion4(_: Tables, journal: LmdbJournalTables): void {
  const { debts, debtsByAge, meta } = journal;
  let after: [orgId: string, requestId: string] = ["", ""];
  for (;;) {
    const range = { start: after, exclusiveStart: true, limit: debtsPerMigrationStep };
    const step = Array.from(debts.getRange(range));
    for (const { key, value } of step) {
      const [orgId, requestId] = key;
      debtsByAge.putSync([orgId, value.owedAt ?? "", requestId], true);
      after = key;
    }
    if (step.length < debtsPerMigrationStep) break;
  }
  const events = meta.get("eventCount") ?? 0;
  if (events > 0) meta.putSync("eventTimesFrom", events);
}
