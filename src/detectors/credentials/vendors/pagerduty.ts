import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const pagerduty: readonly EntityDetector[] = [
  assignedToken({
    id: "pagerduty-api-key",
    entityType: "PAGERDUTY_API_KEY",
    description: "API key of PagerDuty.",
    owners: ["pager duty"],
    what: "(?:api|token|key|routing|integration)",
    value: String.raw`[0-9a-f]{32}|[uy]?\+?[\w+-]{18,20}`,
    examples: ["76d2f912b89a01cfe2454dce9d33c967", "6a1be6ca98929d46506e6fa8440e68c8"],
  }),
];
