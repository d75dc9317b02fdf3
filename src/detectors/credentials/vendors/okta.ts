import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const okta: readonly EntityDetector[] = [
  assignedToken({
    id: "okta-token",
    entityType: "OKTA_TOKEN",
    description: "API token of Okta.",
    owners: ["okta"],
    value: String.raw`00[\w=-]{40}`,
    exampleName: "api_token",
    examples: [
      "00wV1oCAhJ4uNomEpkUbzFLHiK7veu7gUJigSYNHoU",
      "00A90Jv10n7cHBQLoliKDqOBueyXWRqBIavCSvbCwU",
    ],
  }),
];
