import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const slackWebhook: readonly EntityDetector[] = [
  markedToken({
    id: "slack-webhook",
    entityType: "SLACK_WEBHOOK",
    description: "Webhook address of Slack.",
    prefix: ["https://hooks.slack.com/", "hooks.slack.com/"],
    body: "(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,64}",
    examples: [
      "services/TI1JINMFV3C/BH36ZOABENZ/qp5LjqC9Yd0fD4LOSWMj1rfn",
      "services/T9YMLJ7V48E/BG8GY1OO448/ULTFoTc9rFRu9nqfXb8qDqvG",
    ],
  }),
];
