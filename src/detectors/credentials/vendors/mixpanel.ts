import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const mixpanel: readonly EntityDetector[] = [
  assignedToken({
    id: "mixpanel-token",
    entityType: "MIXPANEL_TOKEN",
    description: "Token or secret of Mixpanel.",
    owners: ["mixpanel"],
    value: "[0-9a-f]{32}",
    exampleName: "token",
    examples: ["a6805304960e6e497855cc105aac348a", "1bebc939e381e36a984c3a98cfdd877e"],
  }),
];
