import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const comet: readonly EntityDetector[] = [
  assignedToken({
    id: "comet-api-key",
    entityType: "COMET_API_KEY",
    description: "API key of Comet.",
    owners: ["comet"],
    value: "[A-Za-z0-9]{25}",
    examples: ["S80WeYTGu4XDOrXdQ2BJwEQ6C", "fCUHuIbT4ocfwPnVy7jszT9w4"],
  }),
];
