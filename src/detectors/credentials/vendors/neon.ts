import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const neon: readonly EntityDetector[] = [
  markedToken({
    id: "neon-api-key",
    entityType: "NEON_API_KEY",
    description: "API key of Neon.",
    prefix: "napi_",
    body: "[a-z0-9]{60,70}",
    examples: [
      "ur9krfyus5hd943ousalu9k16x3j1mwvign13xv537q9cdx43rtk5vysth3z867m",
      "doji8x9lapr0lyei5qh90x89kajz44a0anx971ievsxa7z6qxg6eqql64uk9cy2g",
    ],
  }),
];
