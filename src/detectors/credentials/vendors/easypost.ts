import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const easypost: readonly EntityDetector[] = [
  markedToken({
    id: "easypost-key",
    entityType: "EASYPOST_KEY",
    description: "API key of EasyPost.",
    prefix: ["EZAK", "EZTK"],
    body: "[A-Za-z0-9]{54}",
    examples: [
      "OyeghnbiY3SGv72nDuWXwXOVs4c6m8NpU6UQMDoSM9N1Xk0DI1xvAm",
      "f72WTC4qdkAnUzlZ2Sb9DwmbpFTfdBy0pKPlCOAbMDsd7oreodS1qk",
    ],
  }),
];
