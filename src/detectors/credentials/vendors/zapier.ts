import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const zapier: readonly EntityDetector[] = [
  markedToken({
    id: "zapier-webhook",
    entityType: "ZAPIER_WEBHOOK",
    description: "Webhook address of Zapier.",
    prefix: ["https://hooks.zapier.com/hooks/catch/", "hooks.zapier.com/hooks/catch/"],
    body: String.raw`\d{5,10}/[a-z0-9]{6,10}(?:/[\w-]{6,40})?`,
    examples: ["92780673/vuv7rs2", "47626433/r99afeg"],
  }),
];
