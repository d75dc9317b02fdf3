import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const todoist: readonly EntityDetector[] = [
  assignedToken({
    id: "todoist-token",
    entityType: "TODOIST_TOKEN",
    description: "API token of Todoist.",
    owners: ["todoist"],
    value: "[0-9a-f]{40}",
    exampleName: "api_token",
    examples: [
      "1d5b6e374ea99eb5da55038af4448a6a76bcf409",
      "6a77d64edca37f26683bb7557a5b0265f6302f78",
    ],
  }),
];
