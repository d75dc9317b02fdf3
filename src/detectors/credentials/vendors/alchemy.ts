import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const alchemy: readonly EntityDetector[] = [
  assignedToken({
    id: "alchemy-api-key",
    entityType: "ALCHEMY_API_KEY",
    description: "API key of Alchemy.",
    owners: ["alchemy"],
    value: String.raw`[\w-]{32}`,
    examples: ["pfpYE4shMBmFRp9K9e3w3Het8aMP3moo", "I2oGaSjE9rCyYmuHcmm8Knhwinp4rBSs"],
  }),
];
