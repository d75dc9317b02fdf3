import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const opsgenie: readonly EntityDetector[] = [
  assignedToken({
    id: "opsgenie-api-key",
    entityType: "OPSGENIE_API_KEY",
    description: "API key of Opsgenie.",
    owners: ["opsgenie"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["ed8585a2-f19c-df1b-0e72-e387e01b9f37", "8da2216b-369f-5150-888d-31c7bb030ce1"],
  }),
];
