import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const codecov: readonly EntityDetector[] = [
  assignedToken({
    id: "codecov-token",
    entityType: "CODECOV_TOKEN",
    description: "Upload token of Codecov.",
    owners: ["codecov"],
    value: "[A-Za-z0-9]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "token",
    examples: ["dq9yhqhorxlsxmux5h92jka75cbm94ad", "tjsf9n4z4vnapunllywm9dul5nlvdg8j"],
  }),
];
