import { randomBytes } from "node:crypto";

/** What stands before the underscore of an id. */
export type IdPrefix = "key" | "org" | "limit" | "policy";

/** A prefix, the time and 80 random bits, in lower-case hex: sorts by age in a list. */
export function sortableId(prefix: IdPrefix, wallMs: number): string {
  return `${prefix}_${wallMs.toString(16).padStart(12, "0")}${randomBytes(10).toString("hex")}`;
}
