import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const xai: readonly EntityDetector[] = [
  markedToken({
    id: "xai-api-key",
    entityType: "XAI_API_KEY",
    description: "API key of xAI.",
    prefix: "xai-",
    body: "[A-Za-z0-9]{70,90}",
    examples: [
      "sT6VO9xGe2Pmp2QSwlaK3vqQDQd9i2ySrR9N3DN2KhnZgDfr6GOGAlMyykgT2so74IRJHKs24KwWnJ6N",
      "frXBjJmdpNHUynkSyasVnxvlS5MDciPlLVCOmBQQqpdHoYDjwBy4O6RQukJbWAa0625363tUjM9OdbjS",
    ],
  }),
];
