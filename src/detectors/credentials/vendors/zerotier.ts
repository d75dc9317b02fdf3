import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const zerotier: readonly EntityDetector[] = [
  assignedToken({
    id: "zerotier-token",
    entityType: "ZEROTIER_TOKEN",
    description: "API token of ZeroTier.",
    owners: ["zerotier"],
    value: "[A-Za-z0-9]{32}",
    exampleName: "api_token",
    examples: ["lXF8zEzULOcaiNxJfaePjxjig7P5Ao4s", "uU3GNWJGQ513LkbBqclozIGm2yeTsi3o"],
  }),
];
