import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const bugsnag: readonly EntityDetector[] = [
  assignedToken({
    id: "bugsnag-api-key",
    entityType: "BUGSNAG_API_KEY",
    description: "API key of Bugsnag.",
    owners: ["bugsnag"],
    value: "[0-9a-f]{32}",
    examples: ["35c5bb32f7e416d3cac7f696a2e8ec79", "5718a71e906fee81cd5ed927dc8fa4a1"],
  }),
];
