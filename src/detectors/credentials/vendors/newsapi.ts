import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const newsapi: readonly EntityDetector[] = [
  assignedToken({
    id: "newsapi-key",
    entityType: "NEWSAPI_KEY",
    description: "API key of NewsAPI.",
    owners: ["newsapi", "news api"],
    value: "[0-9a-f]{32}",
    exampleName: "key",
    examples: ["c25b3d61b815adeda387ae6aef1e8bbf", "7528444683181e0702f35ca406d0bd38"],
  }),
];
