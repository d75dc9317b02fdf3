import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const clickup: readonly EntityDetector[] = [
  markedToken({
    id: "clickup-token",
    entityType: "CLICKUP_TOKEN",
    description: "API token of ClickUp.",
    prefix: "pk_",
    body: String.raw`\d{6,9}_[A-Z0-9]{32}`,
    examples: [
      "036905712_G26GLI12F9XVQH5XJEKP3O6OW1IO27DE",
      "896299922_ZSC18X1686HK7Y3MZGWPKOTQTZOA2P1E",
    ],
  }),
];
