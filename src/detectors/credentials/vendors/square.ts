import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const square: readonly EntityDetector[] = [
  markedToken({
    id: "square-access-token",
    entityType: "SQUARE_TOKEN",
    description: "Access token of Square.",
    prefix: ["EAAA", "sq0atp-"],
    body: String.raw`[\w-]{22,60}`,
    examples: [
      "YfPdiu8diMGE3VJidkOn16v68oNz6i2gEZcLyj17fXwN7E7oCGHzUW0r7JB3",
      "h2E0eKv6ySMZ7stnUImThRAt1uFG9w1xmvEkUkyD8TwrJS4ywC4LRJEIeYzr",
    ],
  }),
  markedToken({
    id: "square-oauth-secret",
    entityType: "SQUARE_SECRET",
    description: "OAuth secret of Square.",
    prefix: "sq0csp-",
    body: String.raw`[\w-]{43}`,
    examples: [
      "srWSxdkwSSou5zjDVIrue5Q9rRfpaVdoGc1mMcnEo2g",
      "dZqCI3lQFD339D4vf5jaNjpeE6KpoH1VTbgWpxe6Owy",
    ],
  }),
  markedToken({
    id: "square-application-id",
    entityType: "SQUARE_APPLICATION_ID",
    description: "Application id of Square.",
    prefix: "sq0idp-",
    body: String.raw`[\w-]{22}`,
    examples: ["zForbUYoxFhNr1jibI5wq7", "Xi3duNwJ2ZwVy9nvrMRPdh"],
  }),
];
