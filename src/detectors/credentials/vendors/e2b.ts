import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const e2b: readonly EntityDetector[] = [
  markedToken({
    id: "e2b-api-key",
    entityType: "E2B_API_KEY",
    description: "API key of E2B.",
    prefix: ["e2b_"],
    body: "[0-9a-f]{40}",
    examples: [
      "f9ce7264c0faf98843720438d650b9722f113058",
      "4a572fbbc9e3cd881cab8585435dcf9172137bd6",
    ],
  }),
];
