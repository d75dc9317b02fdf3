import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const monday: readonly EntityDetector[] = [
  assignedToken({
    id: "monday-signing-secret",
    entityType: "MONDAY_SECRET",
    description: "Signing secret of monday.com.",
    owners: ["monday"],
    what: "secret",
    value: "[0-9a-f]{32}",
    exampleName: "signing_secret",
    examples: ["4015606b953c99b8d967b4c442c33b61", "69a5116e3f3072bd1eb36769a04217a8"],
  }),
];
