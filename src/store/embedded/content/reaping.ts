import { contentOrganizationsPerStep, contentRowsPerWrite } from "../../../contract/limits.ts";
import { eraseBefore, organizationBehind, type ContentTables } from "./content-rows.ts";

/**
 * Content older than this (Unix milliseconds) has expired; `byOrg` for organizations with their own
 * retention.
 */
export interface Cutoffs {
  readonly beforeMs: number;
  readonly byOrg: ReadonlyMap<string, number>;
}

/** The number of rows that one step has removed, and whether there may be more to do. */
export interface Removed {
  readonly rows: number;
  readonly more: boolean;
}

/**
 * Removes expired content of all organizations in order. Each step is bounded in rows and in
 * organizations, and continues where the one before ended: each organization is checked once, however
 * many rows the others have.
 */
export class Reaping {
  readonly #tables: ContentTables;
  readonly #cutoffs: Cutoffs;
  /** The content of this organization and of those before it is removed. */
  #done: string | null = null;

  constructor(tables: ContentTables, cutoffs: Cutoffs) {
    this.#tables = tables;
    this.#cutoffs = cutoffs;
  }

  /** Call it inside a transaction. If that is rolled back, discard this object. */
  step(): Removed {
    const { beforeMs, byOrg } = this.#cutoffs;
    let rows = 0;
    for (let looked = 0; looked < contentOrganizationsPerStep; looked += 1) {
      const orgId = organizationBehind(this.#tables, this.#done);
      if (orgId === undefined) return { rows, more: false };
      const cutoffMs = byOrg.get(orgId) ?? beforeMs;
      rows += eraseBefore(this.#tables, orgId, cutoffMs, contentRowsPerWrite - rows);
      // This organization may have more.
      if (rows === contentRowsPerWrite) return { rows, more: true };
      this.#done = orgId;
    }
    return { rows, more: true };
  }
}

/** One step of removing older content of one organization. */
export function eraseOrganization(tables: ContentTables, orgId: string, beforeMs: number): Removed {
  const rows = eraseBefore(tables, orgId, beforeMs, contentRowsPerWrite);
  return { rows, more: rows === contentRowsPerWrite };
}
