import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const trello: readonly EntityDetector[] = [
  markedToken({
    id: "trello-token",
    entityType: "TRELLO_TOKEN",
    description: "Token of Trello.",
    prefix: "ATTA",
    body: "[0-9a-f]{64}[0-9A-F]{8}",
    examples: [
      "2787e883e668a75b8b2b9dec1a38569e23141c265a7d597f228ccd32c26b4ae49FDBEC83",
      "b47ec318fb9cfae89cb7cb750a373029d87d79936771b568797d2446dc664c1dBBCE9716",
    ],
  }),
  assignedToken({
    id: "trello-api-key",
    entityType: "TRELLO_API_KEY",
    description: "API key or token of Trello without a prefix.",
    owners: ["trello"],
    value: "[0-9a-f]{64}|[A-Za-z0-9-]{32}",
    examples: ["37060e6a91a5313b4664b9c752a55c26", "564e7d6e5d05f59f60e938216bfa6915"],
  }),
];
