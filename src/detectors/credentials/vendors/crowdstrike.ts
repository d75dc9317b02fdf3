import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const crowdstrike: readonly EntityDetector[] = [
  assignedToken({
    id: "crowdstrike-secret",
    entityType: "CROWDSTRIKE_SECRET",
    description: "API client secret of CrowdStrike Falcon.",
    owners: ["crowdstrike", "falcon"],
    what: "secret",
    value: "[A-Za-z0-9]{40}",
    exampleName: "client_secret",
    examples: [
      "Sxg4Ap80q5v9nYPyeic8k2lftVOc5fEM7nnJYC2L",
      "rLSAT7eJFYbkYOXUCz5iu1yNmEsvzmx14HjXUU0o",
    ],
  }),
];
