import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const elevenlabs: readonly EntityDetector[] = [
  assignedToken({
    id: "elevenlabs-api-key",
    entityType: "ELEVENLABS_API_KEY",
    description: "API key of ElevenLabs.",
    owners: ["eleven labs", "xi api", "eleven api"],
    value: "sk_[0-9a-f]{48}|[0-9a-f]{32}",
    examples: [
      "sk_644cfb29c0864d86bc3a858c9a4bc33b26945c6694a1eefa",
      "sk_eb59d25d61e81d8b43cbe167f6254fe2d49b1b760f8e1e07",
    ],
  }),
];
