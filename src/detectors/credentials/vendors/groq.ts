import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const groq: readonly EntityDetector[] = [
  markedToken({
    id: "groq-api-key",
    entityType: "GROQ_API_KEY",
    description: "API key of Groq.",
    prefix: "gsk_",
    body: "[A-Za-z0-9]{50,56}",
    examples: [
      "6tqLYhDHMMzxBmrsOPhiXXFHm4usABQUJegLiZTCejwoQLGWXrSh",
      "6Jk6Pe98rtoPAby8PD4MSYGoXYT4IQMq13SmAhIHPnzISI2djd19",
    ],
  }),
];
