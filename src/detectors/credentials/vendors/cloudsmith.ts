import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const cloudsmith: readonly EntityDetector[] = [
  assignedToken({
    id: "cloudsmith-api-key",
    entityType: "CLOUDSMITH_API_KEY",
    description: "API key of Cloudsmith.",
    owners: ["cloudsmith"],
    value: "[0-9a-f]{40}",
    examples: [
      "167653366e2b24f1dd53dc24b5d53aceba4b3ffa",
      "d01b9aa6838e362fd9de97291d1af04ccc83b40f",
    ],
  }),
];
