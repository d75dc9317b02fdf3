import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const mattermost: readonly EntityDetector[] = [
  assignedToken({
    id: "mattermost-token",
    entityType: "MATTERMOST_TOKEN",
    description: "Access token of Mattermost.",
    owners: ["mattermost"],
    value: "[a-z0-9]{26}",
    exampleName: "access_token",
    examples: ["ebmffoi13ne10a2aga8v6lqpgv", "qlioubwapo28d1dasi39kqrf33"],
  }),
];
