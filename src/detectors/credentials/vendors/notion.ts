import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const notion: readonly EntityDetector[] = [
  markedToken({
    id: "notion-token",
    entityType: "NOTION_TOKEN",
    description: "Integration token of Notion.",
    prefix: "ntn_",
    body: String.raw`\d{11}[A-Za-z0-9]{35}`,
    examples: [
      "6132232671586ZyYEp2kcSlPEQXHOXsbc6TAS6x0M6dkt1",
      "18032501881O77xwvwTSDWH0hCdshxLWB5R95FViC3zBh0",
    ],
  }),
  markedToken({
    id: "notion-legacy-token",
    entityType: "NOTION_TOKEN",
    description: "Integration token of Notion with the former prefix.",
    prefix: "secret_",
    body: "[A-Za-z0-9]{43}",
    examples: [
      "2lLB5ej52eUhB5Emz97sm9JQemRELggXCC8Y2NAGS2Q",
      "zjdBxH524AEmDaBFirdCiXXhNQ0XfCxCKMHYwmM8p9I",
    ],
  }),
];
