import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const instagram: readonly EntityDetector[] = [
  markedToken({
    id: "instagram-token",
    entityType: "INSTAGRAM_TOKEN",
    description: "Access token of Instagram.",
    prefix: ["IGQV", "IGQW", "IGAA"],
    body: String.raw`[\w-]{60,240}`,
    examples: [
      "nknM8Kb4mjoQ4xqv03jebn47R95ec0nHl2PO24FBwfnkfQDuRArLjEY9mO8TCf60NXSYkwR3tQd7zXIYTPFg89ki6x2wz3rBaQnqDRLoKd2Gt5Co3iy0xMSn",
    ],
  }),
];
