import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const huaweiCloud: readonly EntityDetector[] = [
  assignedToken({
    id: "huawei-secret-key",
    entityType: "HUAWEI_SECRET_KEY",
    description: "Secret access key of Huawei Cloud.",
    owners: ["huawei", "hwcloud"],
    what: "(?:secret|sk)",
    value: "[A-Za-z0-9]{40}",
    exampleName: "secret_key",
    examples: [
      "uKku9XtiCRqqY0GVGijiBnXPMAiEBHvUg3le37l6",
      "LnShaI7S7NcbM5GD6udrJrILEICo97z5KareiNim",
    ],
  }),
];
