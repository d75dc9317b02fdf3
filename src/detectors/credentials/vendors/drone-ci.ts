import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const droneCi: readonly EntityDetector[] = [
  assignedToken({
    id: "drone-ci-token",
    entityType: "DRONE_CI_TOKEN",
    description: "Access token of Drone CI.",
    owners: ["drone", "droneci"],
    value: "[A-Za-z0-9]{32}",
    exampleName: "token",
    examples: ["LtulkIXsOEegyp4LDBSp7xUHxUA7oJQp", "Q5z712T48kCTfQVOf64xUsWrkfGioCko"],
  }),
];
