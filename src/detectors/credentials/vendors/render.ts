import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const render: readonly EntityDetector[] = [
  markedToken({
    id: "render-api-key",
    entityType: "RENDER_API_KEY",
    description: "API key of Render.",
    prefix: "rnd_",
    body: "[A-Za-z0-9]{28,32}",
    examples: ["ZnUg3ClRDrBN3JWhgYxL9LsrTbZY", "wdorR1Hlz0YWoTtNYFMrUJRSiMhD"],
  }),
];
