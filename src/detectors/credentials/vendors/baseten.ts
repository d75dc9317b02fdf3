import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const baseten: readonly EntityDetector[] = [
  assignedToken({
    id: "baseten-api-key",
    entityType: "BASETEN_API_KEY",
    description: "API key of Baseten.",
    owners: ["baseten"],
    value: String.raw`[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}`,
    examples: [
      "Wkjzo51z.9506VM59tzReLlPulFGM3gyjFkVICx98",
      "ECg7oCpd.HDNDKDkAFbxfX6N6OVwrcq1wRwC34X4l",
    ],
  }),
];
