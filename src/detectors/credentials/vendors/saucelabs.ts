import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const saucelabs: readonly EntityDetector[] = [
  assignedToken({
    id: "saucelabs-key",
    entityType: "SAUCELABS_KEY",
    description: "Access key of Sauce Labs.",
    owners: ["sauce labs", "sauce access"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "access_key",
    examples: ["7673e369-2deb-0a54-d010-3187d6e1db19", "60fadc51-4742-f763-9ba0-f798e00a235f"],
  }),
];
