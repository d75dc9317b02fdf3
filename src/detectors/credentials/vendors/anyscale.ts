import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const anyscale: readonly EntityDetector[] = [
  markedToken({
    id: "anyscale-key",
    entityType: "ANYSCALE_KEY",
    description: "API key of Anyscale.",
    prefix: ["esecret_", "aph0_"],
    body: "[A-Za-z0-9]{26,48}",
    examples: ["zeW3pzVw722I90g3HMOfP2NarY", "7osag4qfnRibPovzMiwHugf9Ac"],
  }),
];
