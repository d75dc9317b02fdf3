import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const deepgram: readonly EntityDetector[] = [
  assignedToken({
    id: "deepgram-api-key",
    entityType: "DEEPGRAM_API_KEY",
    description: "API key of Deepgram.",
    owners: ["deepgram"],
    value: "[0-9a-f]{40}",
    examples: [
      "a7c5aa7a7c0c268e36c8ab2bd924210fd65f7add",
      "d7a20bc5e3482b93ec042197ccd293cfe6dbcbf2",
    ],
  }),
];
