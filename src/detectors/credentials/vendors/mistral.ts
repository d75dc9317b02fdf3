import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const mistral: readonly EntityDetector[] = [
  assignedToken({
    id: "mistral-api-key",
    entityType: "MISTRAL_API_KEY",
    description: "API key of Mistral AI.",
    owners: ["mistral"],
    value: "[A-Za-z0-9]{32}",
    examples: ["pGOWmqde5DpO2TCav5Tvk8zGS0z6ubvt", "UlDYJ2djbFU7xobeT28QwgCSMKKVodXc"],
  }),
];
