import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const loggly: readonly EntityDetector[] = [
  assignedToken({
    id: "loggly-token",
    entityType: "LOGGLY_TOKEN",
    description: "Customer token of Loggly.",
    owners: ["loggly"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "token",
    examples: ["1cb6217a-b9e7-f20e-4c81-1c75c6632c9d", "289c5a4a-6aca-6fc7-8dad-60bb49d472aa"],
  }),
];
