import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ifttt: readonly EntityDetector[] = [
  assignedToken({
    id: "ifttt-key",
    entityType: "IFTTT_KEY",
    description: "Webhook key of IFTTT.",
    owners: ["ifttt", "maker.ifttt.com/use"],
    value: String.raw`[\w-]{22,43}`,
    exampleName: "webhook_key",
    examples: ["CIIyo3qxjQcS8uBhcsKgS1", "JhGESUgA1Z4ri5gwczpHvL"],
  }),
];
