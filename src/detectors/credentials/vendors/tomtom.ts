import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const tomtom: readonly EntityDetector[] = [
  assignedToken({
    id: "tomtom-api-key",
    entityType: "TOMTOM_API_KEY",
    description: "API key of TomTom.",
    owners: ["tomtom"],
    value: "[A-Za-z0-9]{32}",
    examples: ["oqouhkzQ9Rmt7r4rcWztk4JLua2vQDx5", "xOTMWWddyzmYU1F125rrCV3kbSbKelkb"],
  }),
];
