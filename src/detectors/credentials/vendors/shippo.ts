import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const shippo: readonly EntityDetector[] = [
  markedToken({
    id: "shippo-token",
    entityType: "SHIPPO_TOKEN",
    description: "API token of Shippo.",
    prefix: ["shippo_live_", "shippo_test_"],
    body: "[0-9a-f]{40}",
    examples: [
      "096db70663d4a511af943b8b8f9de3ced2f7d546",
      "a74c9707fe0602a8f6b7d35afca9caff2d55b707",
    ],
  }),
];
