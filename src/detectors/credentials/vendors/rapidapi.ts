import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const rapidapi: readonly EntityDetector[] = [
  assignedToken({
    id: "rapidapi-key",
    entityType: "RAPIDAPI_KEY",
    description: "Key of RapidAPI.",
    owners: ["rapidapi", "x rapidapi"],
    value: String.raw`[\w-]{50}`,
    exampleName: "key",
    examples: [
      "396516e3f5msh18ce41f5525d1a3p194697jsn46d84ddb0a74",
      "a04820ceb9mshf84f8229455f209p16d88bjsned5d648fdd38",
    ],
  }),
];
