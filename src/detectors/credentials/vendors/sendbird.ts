import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const sendbird: readonly EntityDetector[] = [
  assignedToken({
    id: "sendbird-access-token",
    entityType: "SENDBIRD_TOKEN",
    description: "Access token of Sendbird.",
    owners: ["sendbird"],
    value: "[0-9a-f]{40}",
    exampleName: "access_token",
    examples: [
      "d2ef0c1885da6adea683f10a3cd8348db9ccc4e3",
      "4fd49163e0e9b3bf5fd2d31456c9dd485ac16e5a",
    ],
  }),
  assignedToken({
    id: "sendbird-access-id",
    entityType: "SENDBIRD_ACCESS_ID",
    description: "Application id of Sendbird.",
    owners: ["sendbird"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "access_id",
    examples: ["eee81ba4-00d7-ae1c-191c-00870c61cc15", "ee69fa50-57b9-eb3b-6c79-5934905af32f"],
  }),
];
