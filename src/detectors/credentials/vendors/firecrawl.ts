import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const firecrawl: readonly EntityDetector[] = [
  markedToken({
    id: "firecrawl-api-key",
    entityType: "FIRECRAWL_API_KEY",
    description: "API key of Firecrawl.",
    prefix: "fc-",
    body: "[0-9a-f]{32}",
    examples: ["c2adc0ad05085e194d5017c06bfc4f14", "3191230148e2088eeac595d7157e97a9"],
  }),
];
