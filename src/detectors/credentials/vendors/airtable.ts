import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const airtable: readonly EntityDetector[] = [
  markedToken({
    id: "airtable-token",
    entityType: "AIRTABLE_TOKEN",
    description: "Personal access token of Airtable.",
    prefix: "pat",
    body: String.raw`[A-Za-z0-9]{14}\.[0-9a-f]{64}`,
    examples: [
      "VQv4vKPK0uGtpC.792a6fcde157509071cc579053397550cab3557d0e003c4e8e13f86243c5c4ce",
      "nwk5rp812nwEZh.08185891bbff6c0fab3c837a969546ae32de13febe8465cff11d732dbd99d393",
    ],
  }),
  assignedToken({
    id: "airtable-api-key",
    entityType: "AIRTABLE_API_KEY",
    description: "API key of Airtable.",
    owners: ["airtable"],
    value: "[A-Za-z0-9]{17}",
    examples: ["zoJqWbXl5LRgUvkc1", "sE766tbMudHLXUplw"],
  }),
];
