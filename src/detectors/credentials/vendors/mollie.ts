import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const mollie: readonly EntityDetector[] = [
  assignedToken({
    id: "mollie-api-key",
    entityType: "MOLLIE_API_KEY",
    description: "API key of Mollie.",
    owners: ["mollie"],
    value: "(?:live|test)_[A-Za-z0-9]{30,48}",
    examples: ["live_Y7kmxTaV7WgvGXpa2BGjlhjeOXUhsi", "live_Avl4WxOEFK9UDPIESMFdos0GwZ6xoR"],
  }),
];
