import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const lob: readonly EntityDetector[] = [
  assignedToken({
    id: "lob-api-key",
    entityType: "LOB_API_KEY",
    description: "Secret key of Lob.",
    owners: ["lob"],
    value: "(?:live|test)_[0-9a-f]{35}",
    examples: [
      "test_ca50f9ded29857e17258dc0f68c77782f7d",
      "live_7f3b0a01a2d9b802e18b4cd6b272b7a206e",
    ],
  }),
  assignedToken({
    id: "lob-publishable-key",
    entityType: "LOB_API_KEY",
    description: "Publishable key of Lob.",
    owners: ["lob"],
    value: "(?:live|test)_pub_[0-9a-f]{31}",
    examples: [
      "test_pub_3ba9014914fc1e82321a73accf59e4d",
      "live_pub_6266d8d9abeee58032babfa5134d7da",
    ],
  }),
];
