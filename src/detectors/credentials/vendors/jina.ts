import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const jina: readonly EntityDetector[] = [
  markedToken({
    id: "jina-api-key",
    entityType: "JINA_API_KEY",
    description: "API key of Jina AI.",
    prefix: "jina_",
    body: String.raw`[0-9a-f]{32}[\w-]{28}`,
    examples: [
      "1878ffeaa674baf8f46d6a969c86c924oyx7JjFemObe5ocwK27JnZTsQPmK",
      "7ce838a9202ad93e1f60ed7d56be7db2Eno7lZc9Cpt9gVHCZ8hivLiAcyPH",
    ],
  }),
];
