import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const calendly: readonly EntityDetector[] = [
  assignedToken({
    id: "calendly-api-key",
    entityType: "CALENDLY_API_KEY",
    description: "API key of Calendly.",
    owners: ["calendly"],
    value: "[A-Za-z0-9]{16,32}",
    examples: ["VO2PQEdZpnvx5CEyu4K954ur", "o93wAzfZs8guRhp5Ccm9IcbH"],
  }),
];
