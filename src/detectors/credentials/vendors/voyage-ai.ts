import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const voyageAi: readonly EntityDetector[] = [
  assignedToken({
    id: "voyage-ai-key",
    entityType: "VOYAGE_AI_KEY",
    description: "API key of Voyage AI.",
    owners: ["voyage"],
    value: String.raw`(?:pa|al)-[\w-]{43}`,
    examples: [
      "pa-qsYzaaHjVslf76k2n06fsdhNSL0ULQjG4ClGhThEn4e",
      "pa-f4HydsT3dTxYGnLnXgQgNDifbkmLVGczljUwtbE0H78",
    ],
  }),
];
