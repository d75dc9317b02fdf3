import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const vultr: readonly EntityDetector[] = [
  assignedToken({
    id: "vultr-api-key",
    entityType: "VULTR_API_KEY",
    description: "API key of Vultr.",
    owners: ["vultr"],
    value: "[A-Z0-9]{36}",
    examples: ["GM1HD8035BXT1ETSH6DHIWN6KVXHV04HEXCZ", "R4VMKB86W04NKTH169DXNCWJXCPDXF487HUS"],
  }),
];
