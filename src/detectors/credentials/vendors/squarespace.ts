import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const squarespace: readonly EntityDetector[] = [
  assignedToken({
    id: "squarespace-token",
    entityType: "SQUARESPACE_TOKEN",
    description: "API key of Squarespace.",
    owners: ["squarespace"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["2f1e728e-6019-c5fc-2d5d-2570479bdcc3", "40370f71-d15a-47f7-e069-9a41fdfa837a"],
  }),
];
