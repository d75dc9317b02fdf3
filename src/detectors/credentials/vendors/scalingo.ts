import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const scalingo: readonly EntityDetector[] = [
  markedToken({
    id: "scalingo-token",
    entityType: "SCALINGO_TOKEN",
    description: "API token of Scalingo.",
    prefix: "tk-us-",
    body: String.raw`[\w-]{48}`,
    examples: [
      "OyGGA3mfo24olbNdoCV5JZBLP5gAxqUFSV1zP5FuPsUNkLgt",
      "4qZqiE0r1k4tW0EYoQo8xuv2kEZoHHeUZQBh9sLSfiUkFZbL",
    ],
  }),
];
