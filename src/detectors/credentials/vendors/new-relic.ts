import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const newRelic: readonly EntityDetector[] = [
  markedToken({
    id: "new-relic-user-key",
    entityType: "NEW_RELIC_KEY",
    description: "User API key of New Relic.",
    prefix: "NRAK-",
    body: "[A-Za-z0-9]{27}",
    examples: ["SJolv6f6WYZ5t9LPBPSC9Adq5tS", "LLrZDNApAI4FpukrtTX0jOpA84X"],
  }),
  markedToken({
    id: "new-relic-browser-key",
    entityType: "NEW_RELIC_KEY",
    description: "Browser API token of New Relic.",
    prefix: "NRJS-",
    body: "[0-9a-f]{19}",
    examples: ["0f7d8edb403b52efa8d", "7b91272aa76012898b3"],
  }),
  markedToken({
    id: "new-relic-insert-key",
    entityType: "NEW_RELIC_KEY",
    description: "Insert or query key of New Relic.",
    prefix: ["NRII-", "NRIQ-"],
    body: "[A-Za-z0-9_-]{32}",
    examples: ["lKyzl2AANMNPwZfB7xTVZoeKV3m2iiRg", "tnnGwk7oRREX7aCPYdu5nOX40Ab3OkVV"],
  }),
  markedToken({
    id: "new-relic-ingest-key",
    entityType: "NEW_RELIC_KEY",
    description: "License key of New Relic.",
    keywords: ["nral"],
    body: "[0-9a-fA-F]{36}NRAL|eu01xx[0-9a-f]{30}NRAL",
    examples: [
      "103485a1c292be01e4fc2d031c41885221c2NRAL",
      "eu01xx5f6aaf76fdc6c369aad6b68b75b48eNRAL",
    ],
  }),
  assignedToken({
    id: "new-relic-license-key",
    entityType: "NEW_RELIC_KEY",
    description: "License key of New Relic.",
    owners: ["new relic"],
    what: "(?:license|key)",
    value: "eu01xx[0-9a-f]{34}|[0-9a-f]{40}",
    exampleName: "license_key",
    examples: [
      "40c6f74f23d63ac2a89cdc3f73e45df14a39d4f7",
      "eu01xx383d5a6322adcd9301925253daffad942f",
    ],
  }),
  assignedToken({
    id: "new-relic-user-api-id",
    entityType: "NEW_RELIC_USER_ID",
    description: "User API id of New Relic.",
    owners: ["new relic"],
    value: "[A-Za-z0-9]{64}",
    exampleName: "user_api_id",
    examples: [
      "cGNTRvr8Z2DN5ztnQgdWmNQ68DIqaGpC7iEdCow0si7EC6ZhFPC8xQH1rVxmkYCY",
      "EthcrhRhaqpqkPd7FSszKigdi1tMjfHE8uCaQkBOnvTFPh5LEdyeObXnl4QnVB9G",
    ],
  }),
];
