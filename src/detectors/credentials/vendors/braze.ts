import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const braze: readonly EntityDetector[] = [
  assignedToken({
    id: "braze-api-key",
    entityType: "BRAZE_API_KEY",
    description: "REST API key of Braze.",
    owners: ["braze", "appboy"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["f9a3057c-6131-994a-9185-9a8f45df4f6e", "c5629b08-d53c-6a5d-1d88-8ec395ad1975"],
  }),
];
