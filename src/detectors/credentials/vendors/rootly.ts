import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const rootly: readonly EntityDetector[] = [
  markedToken({
    id: "rootly-token",
    entityType: "ROOTLY_TOKEN",
    description: "API token of Rootly.",
    prefix: "rootly_",
    body: "[0-9a-f]{64}",
    examples: [
      "5a3472c727211645341c5366fba482d735560bd65bcdbea438309ea7e61aa258",
      "acb61cd2e326c1fbc0ce170c76a5e9797e26aac893290b7992835cbcf6d2ed10",
    ],
  }),
];
