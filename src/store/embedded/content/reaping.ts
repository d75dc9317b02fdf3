import { contentOrganizationsPerStep, contentRowsPerWrite } from "../../../contract/limits.ts";
import { eraseBefore, organizationBehind, type ContentTables } from "./content-rows.ts";

/** What is older than this, Unix milliseconds, is over; `byOrg` where an organization has its own. */
export interface Cutoffs {
  readonly beforeMs: number;
  readonly byOrg: ReadonlyMap<string, number>;
}

/** What one step has removed, and whether there may be more to do. */
export interface Removed {
  readonly rows: number;
  readonly more: boolean;
}

/**
 * Removes what is over of all organizations, in order and in steps that are bounded in rows and in
 * organizations. A step goes on where the one before it ended: each organization is looked at once,
 * however many rows the others have.
 */
export class Reaping {
  readonly #tables: ContentTables;
  readonly #cutoffs: Cutoffs;
  /** All of this one and those before it is removed. */
  #done: string | null = null;

  constructor(tables: ContentTables, cutoffs: Cutoffs) {
    this.#tables = tables;
    this.#cutoffs = cutoffs;
  }

  /** To be called inside a transaction. Where that is rolled back, this reaping is no good any more. */
  step(): Removed {
    const { beforeMs, byOrg } = this.#cutoffs;
    let rows = 0;
    for (let looked = 0; looked < contentOrganizationsPerStep; looked += 1) {
      const orgId = organizationBehind(this.#tables, this.#done);
      if (orgId === undefined) return { rows, more: false };
      const cutoffMs = byOrg.get(orgId) ?? beforeMs;
      rows += eraseBefore(this.#tables, orgId, cutoffMs, contentRowsPerWrite - rows);
      // This one may have more.
      if (rows === contentRowsPerWrite) return { rows, more: true };
      this.#done = orgId;
    }
    return { rows, more: true };
  }
}

/** A step of removing what one organization has that is older. */
export function eraseOrganization(tables: ContentTables, orgId: string, beforeMs: number): Removed {
  const rows = eraseBefore(tables, orgId, beforeMs, contentRowsPerWrite);
  return { rows, more: rows === contentRowsPerWrite };
}
