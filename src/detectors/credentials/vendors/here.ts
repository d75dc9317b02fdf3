import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const here: readonly EntityDetector[] = [
  assignedToken({
    id: "here-api-key",
    entityType: "HERE_API_KEY",
    description: "API key of HERE.",
    owners: ["here api", "heremaps", "here access"],
    value: String.raw`[\w-]{43}`,
    exampleName: "key",
    examples: [
      "NSuKUdWIUWRb6K9xxG8MS2UOyPThnI9nEcIIICHzjdq",
      "RokzMQAlRmkXEMY4l8Ts4Ig0n5sox4RBleyV5hylbpq",
    ],
  }),
];
