import { randomBytes } from "node:crypto";

/** `key_` or `org_`, the time and 80 random bits, in lower-case hex: sorts by age in a list. */
export function sortableId(prefix: "key" | "org", wallMs: number): string {
  return `${prefix}_${wallMs.toString(16).padStart(12, "0")}${randomBytes(10).toString("hex")}`;
}
