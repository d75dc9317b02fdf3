import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const zendesk: readonly EntityDetector[] = [
  assignedToken({
    id: "zendesk-secret-key",
    entityType: "ZENDESK_SECRET",
    description: "Secret key or API token of Zendesk.",
    owners: ["zendesk"],
    value: "[A-Za-z0-9]{40}",
    exampleName: "secret_key",
    examples: [
      "29uZ6QtLVXJQC3KQvRDhT20m9vwB1sAmoLT9H0JI",
      "wGYxpYYY2gynYeXjHdtzERKB8PuCXSHsLj6JLSiG",
    ],
  }),
];
