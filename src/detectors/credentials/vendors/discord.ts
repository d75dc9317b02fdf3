import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const discord: readonly EntityDetector[] = [
  assignedToken({
    id: "discord-client-id",
    entityType: "DISCORD_CLIENT_ID",
    description: "Client id of a Discord application.",
    owners: ["discord"],
    what: "(?:client|app|token|key|secret|bot)",
    value: String.raw`\d{17,20}`,
    exampleName: "client_id",
    examples: ["475305472046969141", "096201360383819773"],
  }),
  assignedToken({
    id: "discord-client-secret",
    entityType: "DISCORD_SECRET",
    description: "Client secret of a Discord application.",
    owners: ["discord"],
    value: String.raw`[\w=-]{32}`,
    exampleName: "client_secret",
    examples: ["3vHNtoPsVHTLunvLE69esvZ6NR0pNxxP", "iGBTwQWwvh8eTxIPwIRRZVNKVUD5CKDt"],
  }),
  assignedToken({
    id: "discord-public-key",
    entityType: "DISCORD_TOKEN",
    description: "API token or key of Discord.",
    owners: ["discord"],
    value: "[0-9a-f]{64}",
    exampleName: "token",
    examples: [
      "be8f197e92f71797719354beddc914decaa6ac4356be14850465039f7344c99d",
      "78361936e9fe17cb19fad7c10ce6a016642eb1688e24098acc0e0d9e48b96147",
    ],
  }),
  markedToken({
    id: "discord-webhook",
    entityType: "DISCORD_WEBHOOK",
    description: "Webhook address of Discord.",
    prefix: [
      "https://discord.com/api/webhooks/",
      "https://discordapp.com/api/webhooks/",
      "https://canary.discord.com/api/webhooks/",
      "https://ptb.discord.com/api/webhooks/",
    ],
    body: String.raw`\d{17,20}/[\w-]{60,80}`,
    examples: [
      "175860601991235603/xGrrTTKEqUHrylRffhOjAOA8dAKBBzwWbLBcTxgQ09X1RuTtCnl6BrPisEQGQeo5qw3O",
      "378812201157694241/ZSUzMKruRAldV0Ro4VLgwEenU9YTspFgtZEUYJdHFYPqZDQ1DvuOBYn3wwYFUmK5lB2n",
    ],
  }),
];
