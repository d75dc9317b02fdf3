import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const atlassian: readonly EntityDetector[] = [
  markedToken({
    id: "atlassian-api-token",
    entityType: "ATLASSIAN_TOKEN",
    description: "API token of Atlassian.",
    prefix: "ATATT3",
    body: String.raw`[\w=-]{170,250}`,
    examples: [
      "AZMYm6vwwyiOtZuZ0JTJC4Wt6rEy3SYm40YEEedfBW764mRpJeJLEAkqVMhDegZ9PihWVkFpjss4RQwWhb67fZxbNMs4E88cL3PHc0bM96rLSmJecjgheM7rhc8orVwvWNEirFUMCVzyVKC081nw9uQIehYJEPAwpL88ALicu8oP0gGRwcE5FUHQHk",
    ],
  }),
  assignedToken({
    id: "atlassian-legacy-token",
    entityType: "ATLASSIAN_TOKEN",
    description: "API token of Atlassian, Jira or Confluence without a prefix.",
    owners: ["atlassian", "jira", "confluence"],
    value: "[A-Za-z0-9]{24}",
    exampleName: "api_token",
    examples: ["04ovTDAJSAetc4RtGhsyNNgz", "9xGgJ27OY4gHiUB1CEAnAExr"],
  }),
];
