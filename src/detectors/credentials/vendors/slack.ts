import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const slack: readonly EntityDetector[] = [
  markedToken({
    id: "slack-bot-token",
    entityType: "SLACK_TOKEN",
    description: "Bot token of Slack.",
    prefix: "xoxb-",
    body: String.raw`\d{8,14}-(?:\d{8,14}-)?[A-Za-z0-9]{18,32}`,
    negatives: [
      "SLACK_TOKEN=xoxb-your-token-here",
      "SLACK_TOKEN=xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx",
      "SLACK_TOKEN=xoxb-000000000000-000000000000-000000000000000000000000",
    ],
    examples: [
      "677998456006-200853433872-hUgKxNq3uhj3ETnFeeM7Wv91",
      "071615625972-477284561402-MzDQx8qD074iXeow67C2Pnh2",
    ],
  }),
  markedToken({
    id: "slack-user-token",
    entityType: "SLACK_TOKEN",
    description: "User, workspace or legacy token of Slack.",
    prefix: ["xoxp-", "xoxe-", "xoxs-", "xoxo-", "xoxa-", "xoxr-", "xoxc-"],
    body: String.raw`(?:\d{1,14}-){1,4}[0-9A-Za-z]{8,64}|(?:\d-)?[0-9A-Za-z]{8,64}`,
    validate: (value) => /\d/.test(value),
    negatives: ["xoxp-legacytokens and xoxa-workspacetokens are gone"],
    examples: [
      "632630459880-063368270675-824777650641-824c2f637a15d4b0e5a07a884764a499",
      "914096549889-041129805841-082450618651-956fa052c8d6cd33c9557fad3a0275da",
    ],
  }),
  markedToken({
    id: "slack-app-token",
    entityType: "SLACK_TOKEN",
    description: "App-level token of Slack.",
    prefix: "xapp-",
    body: String.raw`\d-[A-Z0-9]{8,14}-\d{8,14}-[A-Za-z0-9]{32,80}`,
    examples: [
      "1-AML8929Z3UH-5215824165894-201465a1b06e94027ef99a94bafe35f0b586c5a85bd426244382400e6ad3decf",
      "1-A1EFKOB3K21-8166410982963-52fd3b016e688350b15410bdc40bfcb77c76a9b175e3b0eba27fe2847d4f5fdb",
    ],
  }),
  markedToken({
    id: "slack-config-token",
    entityType: "SLACK_TOKEN",
    description: "Configuration token of Slack.",
    prefix: ["xoxe.xoxb-", "xoxe.xoxp-", "xoxe-"],
    body: String.raw`\d-[A-Za-z0-9]{140,180}`,
    examples: [
      "1-qJIp4bLSXtCIzzGrpL1yotXQplpwrYfXuyRxXPrBEt9psBFoZMOnh1lRY2QBCiAKfiMDmZX4Uk9OuAnPqOjFV8e27meSTBjfrOUgozVihmGkzKHph5FUVkyepiK6dvG2FG3fP9CYqeHPyB9ZVJh3dRK2q1AGr7IHY68",
    ],
  }),
  markedToken({
    id: "slack-session-cookie",
    entityType: "SLACK_TOKEN",
    description: "Session cookie of Slack.",
    prefix: "xoxd-",
    body: "[A-Za-z0-9%+/=_-]{60,400}",
    examples: [
      "XQjhb2gr2RBTtQ4i2ocL1IJ4RMjdIWCCyQUcQlb1lkCSmHEF9tXfuBKKAYjtesFUcipztrUcCxbmU14afPUUXVx8AYfTSDsOrT6yHbRodyqyyIjJcSVSv1WV",
    ],
  }),
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
