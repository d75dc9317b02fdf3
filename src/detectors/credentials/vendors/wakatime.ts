import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const wakatime: readonly EntityDetector[] = [
  assignedToken({
    id: "wakatime-key",
    entityType: "WAKATIME_KEY",
    description: "API key of WakaTime.",
    owners: ["wakatime"],
    value:
      "waka_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: [
      "waka_f66ac60d-760f-b140-91a8-af1bf1361ba8",
      "waka_2d7dfe2f-0f24-d5eb-3722-69c6e6f855af",
    ],
  }),
];
