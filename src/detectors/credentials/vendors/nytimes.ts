import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const nytimes: readonly EntityDetector[] = [
  assignedToken({
    id: "nytimes-token",
    entityType: "NYTIMES_TOKEN",
    description: "Access token of The New York Times.",
    owners: ["nytimes", "new york times"],
    value: String.raw`[\w=-]{32}`,
    exampleName: "token",
    examples: ["4b3oj1br87pl4ozan9hro9kzs3qmiqs5", "uywzbw4ph7ajfbdwil5asmv4vhrmqhra"],
  }),
];
