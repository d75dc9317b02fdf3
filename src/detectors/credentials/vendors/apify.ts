import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const apify: readonly EntityDetector[] = [
  markedToken({
    id: "apify-token",
    entityType: "APIFY_TOKEN",
    description: "API token of Apify.",
    prefix: "apify_api_",
    body: "[A-Za-z0-9]{34,38}",
    examples: ["HEYUogtwEgNxHxVLnA6uOsOemLtsXptvJLco", "7qUufj5QGzZIxz8tMlQHZ9rvhmFAvckh0yI3"],
  }),
];
