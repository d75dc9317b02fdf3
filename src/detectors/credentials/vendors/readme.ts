import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const readme: readonly EntityDetector[] = [
  markedToken({
    id: "readme-api-key",
    entityType: "README_API_KEY",
    description: "API key of ReadMe.",
    prefix: "rdme_",
    body: "[a-z0-9]{70}",
    examples: [
      "lpndby8wpjca4p0czlmm6khaxtuzlwrpolh946519owsdtn3u2usdj07pqz54cjs0gh73q",
      "dd5au9j67ywyeddxz48tr56at2ccqowhbmwrhvbq9viqn8m5ytcou0iaehfe4u8tkicty0",
    ],
  }),
];
