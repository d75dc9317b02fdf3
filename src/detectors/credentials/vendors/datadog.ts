import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const datadog: readonly EntityDetector[] = [
  assignedToken({
    id: "datadog-access-token",
    entityType: "DATADOG_KEY",
    description: "API or application key of Datadog.",
    owners: ["datadog", "dd api", "dd app"],
    value: "[A-Za-z0-9]{40}|[0-9a-f]{32}",
    examples: [
      "08d7ca394b81d625467bf64ee7e4ca0182f0f105",
      "6871da084ef04db5979b7b01c737c5bec6db4d31",
    ],
  }),
];
