import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const zoho: readonly EntityDetector[] = [
  markedToken({
    id: "zoho-token",
    entityType: "ZOHO_TOKEN",
    description: "OAuth token of Zoho.",
    prefix: "1000.",
    body: String.raw`[0-9a-f]{32}\.[0-9a-f]{32}`,
    examples: [
      "0eb484a10925243fede81f9f3c844452.7e10f532f71ddb129b1916bf00124f01",
      "65af0a243bb6241c326610d9c3215750.fc0968e0a37e570c51e7bad84f44d1f3",
    ],
  }),
];
