import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const jenkins: readonly EntityDetector[] = [
  assignedToken({
    id: "jenkins-token",
    entityType: "JENKINS_TOKEN",
    description: "API token of Jenkins.",
    owners: ["jenkins"],
    what: "(?:token|crumb|passw)",
    value: "11[0-9a-f]{32}|[0-9a-f]{32}",
    exampleName: "api_token",
    examples: ["119e9aac33c04c2ce1d793ac439a18004c", "11d87f0bffcc1c9c2fa4cbd79fb6b441e5"],
  }),
];
