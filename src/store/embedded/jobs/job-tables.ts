import type { Database, RootDatabase } from "lmdb";
import type { JobItemsRow, JobRow, JobTables } from "../../jobs/job-rows.ts";

/** The tables of batch jobs, in LMDB; `JobTables` says what they hold. */
export interface LmdbJobTables extends JobTables {
  readonly jobs: Database<JobRow, string>;
  readonly jobItems: Database<JobItemsRow, string>;
  readonly jobStates: Database<Uint8Array, string>;
  readonly jobPayloads: Database<Uint8Array, [jobId: string, index: number]>;
  readonly jobResults: Database<Uint8Array, [jobId: string, index: number]>;
  readonly jobsOpen: Database<true, string>;
  readonly jobsToCome: Database<number, string>;
  readonly jobsByOrg: Database<true, [orgId: string, createdAtMs: number, jobId: string]>;
  readonly jobsByEnd: Database<true, [removeAtMs: number, jobId: string]>;
}

export function openJobTables(root: RootDatabase): LmdbJobTables {
  const [json, binary] = ["json", "binary"] as const;
  return {
    jobs: root.openDB({ name: "jobs", encoding: json }),
    jobItems: root.openDB({ name: "jobItems", encoding: json }),
    jobStates: root.openDB({ name: "jobStates", encoding: binary }),
    jobPayloads: root.openDB({ name: "jobPayloads", encoding: binary }),
    jobResults: root.openDB({ name: "jobResults", encoding: binary }),
    jobsOpen: root.openDB({ name: "jobsOpen", encoding: json }),
    jobsToCome: root.openDB({ name: "jobsToCome", encoding: json }),
    jobsByOrg: root.openDB({ name: "jobsByOrg", encoding: json }),
    jobsByEnd: root.openDB({ name: "jobsByEnd", encoding: json }),
  };
}

/** lmdb keeps a read transaction for the rest of a turn; the journal's thread writes meanwhile. */
export function freshRead(tables: LmdbJobTables): LmdbJobTables {
  tables.jobs.resetReadTxn();
  return tables;
}
