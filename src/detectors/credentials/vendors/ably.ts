import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ably: readonly EntityDetector[] = [
  assignedToken({
    id: "ably-api-key",
    entityType: "ABLY_API_KEY",
    description: "API key of Ably.",
    owners: ["ably"],
    value: String.raw`[\w-]{6}\.[\w-]{6}:[\w-]{43}`,
    examples: [
      "Y6FsuV.ISL6P4:JfBDLx2oYJu4fyCJwvbJvZOYbnpmUoDSitw5vbwloJB",
      "fjAA5i.tOGGFj:4hBbcD4ht2abW1hxC15CHJFWQZU8PhknInhefF8svzz",
    ],
  }),
];
