import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const amplitude: readonly EntityDetector[] = [
  assignedToken({
    id: "amplitude-key",
    entityType: "AMPLITUDE_KEY",
    description: "API key or secret of Amplitude.",
    owners: ["amplitude"],
    value: "[0-9a-f]{32}",
    examples: ["1faf3a66549d843425308b91b8312e6c", "54786e0cea1e8c79d31f49b9845d538d"],
  }),
];
