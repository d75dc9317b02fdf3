import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const percy: readonly EntityDetector[] = [
  assignedToken({
    id: "percy-token",
    entityType: "PERCY_TOKEN",
    description: "Project token of Percy.",
    owners: ["percy"],
    value: "(?:web|app|auto|ss|generic)_[0-9a-f]{64}|[0-9a-f]{64}",
    exampleName: "token",
    examples: [
      "web_e638ad8efb49850599a0dd3961ab4cb57e97d544c3782f330249d2617c52caee",
      "web_d395020330bcc3fcf314cd59b5422a16016e969e422a982b3f2b5eb29871f49b",
    ],
  }),
];
