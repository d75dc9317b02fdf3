import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const optimizely: readonly EntityDetector[] = [
  assignedToken({
    id: "optimizely-token",
    entityType: "OPTIMIZELY_TOKEN",
    description: "Access token of Optimizely.",
    owners: ["optimizely"],
    value: String.raw`2:[\w-]{38,60}`,
    exampleName: "token",
    examples: [
      "2:4jqSmjTEf3dE5LPjMDjOzMAzFleaepEAAeXY9bwgP6RZ",
      "2:J554wJ8xLgB1PFBq0epEBaWGx2GoMRrRTpkwygrnxzv8",
    ],
  }),
];
