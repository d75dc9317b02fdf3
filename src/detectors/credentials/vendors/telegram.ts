import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const telegram: readonly EntityDetector[] = [
  markedToken({
    id: "telegram-bot-token",
    entityType: "TELEGRAM_TOKEN",
    description: "Token of a Telegram bot.",
    body: String.raw`\d{8,10}(?::|%3A)A[\w-]{34}`,
    score: 0.9,
    keywords: [":a", "%3aa"],
    examples: [
      "4671092781:AAEZv7ydDpy3UQmAcsJSBTcZLYBMfhLfmG7",
      "8399111447:AAJqErwrXvLf4F21InOF1ZVjdt7LixVggs9",
      "8399111447%3AAAJqErwrXvLf4F21InOF1ZVjdt7LixVggs9",
    ],
  }),
  assignedToken({
    id: "telegram-named-bot-token",
    entityType: "TELEGRAM_TOKEN",
    description: "Token of a Telegram bot, by its name.",
    owners: ["telegram", "telegr"],
    value: String.raw`\d{5,16}:A[\w-]{34}`,
    exampleName: "bot_token",
    examples: [
      "0681789:AzahJXjxeKrz5dR27xaJKeDHhxpa33uNwLB",
      "4295585:AeF8WmJZvf9tnJH5ZnERjIMM7D8VT0X1nmi",
    ],
  }),
];
