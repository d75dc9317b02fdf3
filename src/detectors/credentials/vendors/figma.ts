import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const figma: readonly EntityDetector[] = [
  markedToken({
    id: "figma-token",
    entityType: "FIGMA_TOKEN",
    description: "Personal access token of Figma.",
    prefix: ["figd_", "figo_", "figu_", "figoh_", "figor_", "figuh_", "figdr_"],
    body: String.raw`[\w-]{40,60}`,
    examples: [
      "sXY44yKccngb5edxyDN22mfIc7qRzJTDJwqVz7qT",
      "0cdfp9V4ODCUIaejgZfyTaDhIIPBA7B233OtdYqN",
    ],
  }),
  assignedToken({
    id: "figma-legacy-token",
    entityType: "FIGMA_TOKEN",
    description: "Personal access token of Figma without a prefix.",
    owners: ["figma"],
    value: String.raw`\d{5,7}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
    exampleName: "token",
    examples: [
      "134377-cbeffeba-0cc8-be42-a62e-7c76c035619c",
      "19506-e5e1b05a-8bde-ae3f-ac40-0e0293c09336",
    ],
  }),
];
