import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ai21: readonly EntityDetector[] = [
  assignedToken({
    id: "ai21-api-key",
    entityType: "AI21_API_KEY",
    description: "API key of AI21 Labs.",
    owners: ["ai21"],
    value: "[A-Za-z0-9]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["5HVplYjlDF6OLJZYImbKEsdNDY1wcVZ6", "JWLhYHstEqbRlyFHQv2FbYrzR5GvbugO"],
  }),
];
