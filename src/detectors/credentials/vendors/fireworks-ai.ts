import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const fireworksAi: readonly EntityDetector[] = [
  markedToken({
    id: "fireworks-api-key",
    entityType: "FIREWORKS_API_KEY",
    description: "API key of Fireworks AI.",
    prefix: "fw_",
    body: "[A-Za-z0-9]{22,26}",
    examples: ["yRR3px1sGvXYquKAbgCHZSkx", "cbYa3915EG12ZCdgAIcKWHyQ"],
  }),
];
