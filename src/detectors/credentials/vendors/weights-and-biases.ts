import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const weightsAndBiases: readonly EntityDetector[] = [
  assignedToken({
    id: "wandb-api-key",
    entityType: "WANDB_API_KEY",
    description: "API key of Weights & Biases.",
    owners: ["wandb"],
    value: String.raw`[0-9a-f]{40}|wandb_v1_[\w-]{60,90}`,
    examples: [
      "954ca6b7b2780ca8872c8b1a6b2801af6b198474",
      "8a6e22ecb07accf205160a9ddc631a081d1cfc76",
    ],
  }),
];
