import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const weir: readonly EntityDetector[] = [
  markedToken({
    id: "weir-key",
    entityType: "WEIR_KEY",
    description: "Key of this gateway.",
    prefix: "sk-gw-",
    body: "[0-9a-f]{48}",
    examples: [
      "e78d01ba9088c43160a0c8b2d4eabab255cff0be6724b795",
      "c81b2d421b45cc6eb18d5ce08e732c5015c181f2da78e966",
    ],
  }),
];
