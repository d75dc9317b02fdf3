import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const gitter: readonly EntityDetector[] = [
  assignedToken({
    id: "gitter-token",
    entityType: "GITTER_TOKEN",
    description: "Access token of Gitter.",
    owners: ["gitter"],
    value: String.raw`[\w-]{40}`,
    exampleName: "access_token",
    examples: [
      "SUbCftajs14z289atxUucNkQi7a94GXZbtPPVXrz",
      "yoR3eZEZsFKrMNazXrQbuayZc8K39IMAoLlhjEhE",
    ],
  }),
];
