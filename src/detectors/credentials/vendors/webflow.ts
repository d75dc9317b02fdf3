import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const webflow: readonly EntityDetector[] = [
  assignedToken({
    id: "webflow-token",
    entityType: "WEBFLOW_TOKEN",
    description: "API token of Webflow.",
    owners: ["webflow"],
    value: "[0-9a-f]{64}",
    exampleName: "api_token",
    examples: [
      "569815b884528688a6ad036b0ed11ae6225ae08666c7068ef34e875ace1312f7",
      "15d0b9f4ecde65e544482fb2a2575e28e9c9bcee061e7d52b475995249e1415c",
    ],
  }),
];
