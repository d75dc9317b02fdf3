import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const linode: readonly EntityDetector[] = [
  assignedToken({
    id: "linode-token",
    entityType: "LINODE_TOKEN",
    description: "Personal access token of Linode.",
    owners: ["linode"],
    value: "[0-9a-f]{64}",
    exampleName: "token",
    examples: [
      "3ceaf2ffbf3e0b6e9aba45ee6ebc57f4590641e1f037860cf29ae36563d8b6da",
      "5a43a846eb31e7ea468c6414ce9da201e0c0d1a0dc00f0e71a714a16e81c1aad",
    ],
  }),
];
