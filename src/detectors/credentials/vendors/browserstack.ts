import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const browserstack: readonly EntityDetector[] = [
  assignedToken({
    id: "browserstack-key",
    entityType: "BROWSERSTACK_KEY",
    description: "Access key of BrowserStack.",
    owners: ["browserstack"],
    value: "[A-Za-z0-9]{20}",
    exampleName: "access_key",
    examples: ["Gvis62lblyk4RU4e60Wq", "gqktTapE3rQfC4eWMH0P"],
  }),
];
