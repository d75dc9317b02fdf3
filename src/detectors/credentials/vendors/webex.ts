import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const webex: readonly EntityDetector[] = [
  assignedToken({
    id: "webex-token",
    entityType: "WEBEX_TOKEN",
    description: "Access token of Webex.",
    owners: ["webex"],
    value:
      "[A-Za-z0-9]{64}_[A-Za-z0-9]{4}_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}",
    exampleName: "token",
    examples: [
      "8fb3d293e0473afb643d87a9d290af315890a4306f6acd1f4686cccfc5d00eb3",
      "0c4913b0392a64bd0aaa84f92c8de545ddeb899b108ef05a09acfcd7c287d716",
    ],
  }),
];
