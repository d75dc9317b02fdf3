import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const tmdb: readonly EntityDetector[] = [
  assignedToken({
    id: "tmdb-api-key",
    entityType: "TMDB_API_KEY",
    description: "API key of The Movie Database.",
    owners: ["tmdb", "themoviedb"],
    value: "[0-9a-f]{32}",
    examples: ["92a46e710a965772e982c247dd5e5454", "e89f59ce2e55084ff26cac4404271e2c"],
  }),
];
