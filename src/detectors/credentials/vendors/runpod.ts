import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const runpod: readonly EntityDetector[] = [
  markedToken({
    id: "runpod-api-key",
    entityType: "RUNPOD_API_KEY",
    description: "API key of RunPod.",
    prefix: "rpa_",
    body: "[A-Z0-9]{40}[a-z0-9]{4,10}",
    examples: [
      "M3QQM7ONRHBVLZVV4QAUO5YA40IRX3B7GX4E68HRgthe0i",
      "FQCIIHZ8DO5I8FH9I8LC3GTHWLTUSVPVYIMG68NE8jscus",
    ],
  }),
];
