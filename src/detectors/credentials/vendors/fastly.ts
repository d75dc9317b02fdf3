import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const fastly: readonly EntityDetector[] = [
  assignedToken({
    id: "fastly-token",
    entityType: "FASTLY_TOKEN",
    description: "API token of Fastly.",
    owners: ["fastly"],
    value: String.raw`[\w=-]{32}`,
    exampleName: "key",
    examples: ["cDCPO0pqdl0cgKKapMsDdvRuGdAiKMBE", "dFuZPVHB25Q1qb5YleQFk9XDNDoBVMxt"],
  }),
];
