import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const langsmith: readonly EntityDetector[] = [
  markedToken({
    id: "langsmith-key",
    entityType: "LANGSMITH_KEY",
    description: "API key of LangSmith.",
    prefix: ["lsv2_pt_", "lsv2_sk_"],
    body: "[0-9a-f]{32}_[0-9a-f]{10}",
    examples: [
      "516558a7a687e61694bdaf1cd92159b5_1001b85ce3",
      "a33d247f0306003d2d7c64ba80c5124b_4da5657172",
    ],
  }),
];
