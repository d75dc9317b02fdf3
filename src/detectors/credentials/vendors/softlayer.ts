import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const softlayer: readonly EntityDetector[] = [
  assignedToken({
    id: "softlayer-api-key",
    entityType: "SOFTLAYER_API_KEY",
    description: "API key of SoftLayer.",
    owners: ["softlayer"],
    value: "[a-z0-9]{64}",
    examples: [
      "rg38v02zdaqwbqyhz3alf3snqdtxquzg3n19529wnhzycp506b8j1kad8ittkpkm",
      "mc1nwtc9z17ujcd0471pe4cuhji7oyojkzi6rzaxs6aucnx82ghqq2p5dinto5an",
    ],
  }),
];
