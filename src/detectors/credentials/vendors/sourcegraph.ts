import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const sourcegraph: readonly EntityDetector[] = [
  markedToken({
    id: "sourcegraph-token",
    entityType: "SOURCEGRAPH_TOKEN",
    description: "Access token of Sourcegraph.",
    prefix: "sgp_",
    body: "(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}",
    examples: [
      "18638bcdd0a13aa1_30943f84ed9e7f2baf78d26c9730b2662a81f9ee",
      "72172dcce4bbf5b4_287659214f3d6620bb96ceaa4d00e7b382a4d156",
    ],
  }),
  markedToken({
    id: "sourcegraph-license-key",
    entityType: "SOURCEGRAPH_TOKEN",
    description: "Dotcom or gateway token of Sourcegraph.",
    prefix: ["sgd_", "sgk_", "slk_", "sgph_"],
    body: "[0-9a-f]{40,64}",
    examples: [
      "358f806bb23edd542db04f0bb544c90f1675da37a9eaec0d21382b0c945880e0",
      "b766cea8b1a7c781c921caee1ed02cdb879162ddbcdb316d425e9916e8fae859",
    ],
  }),
  assignedToken({
    id: "sourcegraph-legacy-token",
    entityType: "SOURCEGRAPH_TOKEN",
    description: "Access token of Sourcegraph without a prefix.",
    owners: ["sourcegraph"],
    value: "[0-9a-f]{40}",
    exampleName: "access_token",
    examples: [
      "2c1a382b2c63811fa1c77737b081faec1cd8cf5c",
      "2f96ec8fffd4051f315e2f82f6c420c422dcd1c1",
    ],
  }),
];
