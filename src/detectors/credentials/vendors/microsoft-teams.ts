import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const microsoftTeams: readonly EntityDetector[] = [
  markedToken({
    id: "microsoft-teams-webhook",
    entityType: "TEAMS_WEBHOOK",
    description: "Webhook address of Microsoft Teams.",
    prefix: "https://",
    body: String.raw`[a-z0-9]{1,60}\.webhook\.office\.com/webhookb2/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}@[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/IncomingWebhook/[0-9A-Za-z]{32}/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:/[\w-]{20,60})?`,
    keywords: ["webhook.office.com"],
    examples: [
      "contoso.webhook.office.com/webhookb2/5269629d-d642-c4ea-954a-638ffa6e5134@0ae5500f-6801-ff7a-ba82-87d83f01eeb4/IncomingWebhook/7ad6a5c0ef28cd13586737c6abd35030/9515779c-088d-7b60-3c6d-36e3c96b8a4a",
      "contoso.webhook.office.com/webhookb2/8e742e72-cc0b-f246-31ad-75a961357f8b@6767a46d-e704-cf53-b2d8-7fb3e35798ca/IncomingWebhook/a631ab77ff1c24a6cda9894794d9d314/0beb372f-ce12-8dc7-a748-9ac0d1c7dfce",
    ],
  }),
];
