import { listJob } from "../../jobs/job-rows.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";
import type { Tables } from "../tables.ts";

/** Batch jobs are listed by organization. Their number is bounded by the retention of their results. */
export function migrateToVersion6(_: Tables, journal: LmdbJournalTables): void {
  for (const { key: jobId, value } of journal.jobs.getRange()) listJob(journal, jobId, value);
}
