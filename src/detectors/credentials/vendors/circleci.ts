import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const circleci: readonly EntityDetector[] = [
  markedToken({
    id: "circleci-token",
    entityType: "CIRCLECI_TOKEN",
    description: "Personal or project token of CircleCI.",
    prefix: ["CCIPAT_", "CCIPRJ_"],
    body: "[A-Za-z0-9]{22}_[0-9a-f]{40}",
    examples: [
      "I9OI3J4otfhJ5W5NW8JVgu_cbaf7409cd529372426f55af0f8a5892fc57f880",
      "FLq1zLzcQdpF6AdZeqQUx5_f09d0285c8b974c55ab2eb25f1060336392750ec",
    ],
  }),
  assignedToken({
    id: "circleci-legacy-token",
    entityType: "CIRCLECI_TOKEN",
    description: "Token of CircleCI without a prefix.",
    owners: ["circle ci"],
    what: "token",
    value: "[0-9a-f]{40}",
    exampleName: "token",
    examples: [
      "458870715c8498ec62ec9854ccec1833fcf08810",
      "2daaa016fb6fcd83197ece8ed99f2576c15a868b",
    ],
  }),
];
