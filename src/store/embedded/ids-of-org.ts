import { lastId } from "../page.ts";
import type { Tables } from "./tables.ts";

/** Ids of an organization's rows of one kind after the cursor, oldest first. */
export function idsOfOrg(
  { byOrg }: Tables,
  kind: "limit" | "policy",
  orgId: string,
  countMax: number,
  cursor: string | null,
): readonly string[] {
  const range = byOrg.getKeys({
    start: [kind, orgId, cursor ?? ""],
    exclusiveStart: true,
    end: [kind, orgId, lastId],
    limit: countMax,
  });
  return Array.from(range, ([, , id]) => id);
}
