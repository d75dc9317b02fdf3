import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const pipedrive: readonly EntityDetector[] = [
  assignedToken({
    id: "pipedrive-token",
    entityType: "PIPEDRIVE_TOKEN",
    description: "API token of Pipedrive.",
    owners: ["pipedrive"],
    value: "[0-9a-f]{40}",
    exampleName: "api_token",
    examples: [
      "99134003dcae1d4566a71f171f47cecce12d3b26",
      "f86e100466e7a20adb6801e16d592d7b64e19937",
    ],
  }),
];
