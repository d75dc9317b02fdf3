import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const tavily: readonly EntityDetector[] = [
  markedToken({
    id: "tavily-api-key",
    entityType: "TAVILY_API_KEY",
    description: "API key of Tavily.",
    prefix: "tvly-",
    body: "(?:dev-|prod-)?[A-Za-z0-9]{32}",
    examples: ["prod-GPqt6xWemh5Lxn24bzNdD0RlhvFcEnMb", "clTFmLWPWuHxIt02OjlGrPNE7Jx2Zq94"],
  }),
];
