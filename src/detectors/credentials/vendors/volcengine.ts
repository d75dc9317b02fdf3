import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const volcengine: readonly EntityDetector[] = [
  markedToken({
    id: "volcengine-access-key",
    entityType: "VOLCENGINE_ACCESS_KEY",
    description: "Access key of Volcengine.",
    prefix: "AKLT",
    body: String.raw`[\w-]{40,60}`,
    examples: [
      "ZIM1OlecTGxdlux0R27C4baL3s56Rzi0mUsBw8ZjtD4",
      "yvTgmVLDXWk9KlwbSzfWjGo52mHebdyXz4xb2AptW6p",
    ],
  }),
];
