import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const coinbase: readonly EntityDetector[] = [
  assignedToken({
    id: "coinbase-token",
    entityType: "COINBASE_TOKEN",
    description: "Access token or API secret of Coinbase.",
    owners: ["coinbase"],
    value: String.raw`[\w=-]{64}`,
    exampleName: "access_token",
    examples: [
      "1WxlvvTc2ibXXiWKPvxwNZBem4CE4qXgW1CRA1pUgWyGMdSXs1H8moXIuquhX98D",
      "a9SWkbUHbrFX0gZi4iwNvIlrIwz2HDPQ74yKOMf7IWkpLt7bD3VCHnaQjPRFqA0N",
    ],
  }),
  assignedToken({
    id: "coinbase-api-key",
    entityType: "COINBASE_TOKEN",
    description: "API key of Coinbase.",
    owners: ["coinbase"],
    value: "[A-Za-z0-9]{32}|[A-Za-z0-9]{16}",
    examples: ["gJigDqbR8TN7QFSHAj5TP2VlkhdBAvos", "2ky3VDEynGjuB56HeMTLxnZyzlHlwQ8b"],
  }),
];
