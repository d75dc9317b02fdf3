import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const lambdatest: readonly EntityDetector[] = [
  assignedToken({
    id: "lambdatest-key",
    entityType: "LAMBDATEST_KEY",
    description: "Access key of LambdaTest.",
    owners: ["lambdatest", "lt access"],
    value: "[A-Za-z0-9]{50}",
    exampleName: "access_key",
    examples: [
      "W0jSnnlOGsPsoABwEMiYS1zuBSksrzbjYNeVRta4jZVjtJj77O",
      "ujKKDYTbULaZ9Qbwj0miVndmkCClGWyILzGgF16OYqMd20eDPz",
    ],
  }),
];
