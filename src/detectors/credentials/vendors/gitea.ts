import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const gitea: readonly EntityDetector[] = [
  assignedToken({
    id: "gitea-token",
    entityType: "GITEA_TOKEN",
    description: "Access token of Gitea or Forgejo.",
    owners: ["gitea", "forgejo", "codeberg"],
    value: "[0-9a-f]{40}",
    exampleName: "token",
    examples: [
      "1718cde22967e79f252019e78d0e2292d76334d3",
      "6f5ef11798d409eb75962fd301a84cc84eab845e",
    ],
  }),
];
