import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const spacelift: readonly EntityDetector[] = [
  assignedToken({
    id: "spacelift-api-key",
    entityType: "SPACELIFT_API_KEY",
    description: "API key secret of Spacelift.",
    owners: ["spacelift"],
    what: "(?:secret|key)",
    value: "[0-9a-f]{64}",
    exampleName: "api_key_secret",
    examples: [
      "7dfdfa86d0526a4a3370d084dcb0b33d62b47cf0ff6a872cb916429990e524c8",
      "8c51e6046f6a36c5e44a102cba4c803a62befb941a1e0822830cffce3fdd2ac0",
    ],
  }),
];
