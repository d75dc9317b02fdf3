import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const convex: readonly EntityDetector[] = [
  assignedToken({
    id: "convex-deploy-key",
    entityType: "CONVEX_DEPLOY_KEY",
    description: "Deploy key of Convex.",
    owners: ["convex"],
    value: String.raw`(?:prod|dev|preview):[a-z0-9-]{8,60}\|[A-Za-z0-9+/=]{40,300}`,
    exampleName: "deploy_key",
    examples: [
      "prod:happy-otter-288|eyJDdeG5A1Yfpx3OwBHVFjC2CQyWB6dDOaU93yFQO78iMUMfQ3daKgcntbWvPJsOxNc4LsmtGxLvzE2fall",
      "prod:happy-otter-887|eyJe6tfxCe1twcOibKPkzHZOzkJVRE6kDVV3cXd3t0ZSTy1UJaI3fhF0DdJKxKG18rUSkUJOSxAg2RG7pfV",
    ],
  }),
];
