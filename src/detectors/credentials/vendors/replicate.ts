import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const replicate: readonly EntityDetector[] = [
  markedToken({
    id: "replicate-token",
    entityType: "REPLICATE_TOKEN",
    description: "API token of Replicate.",
    prefix: "r8_",
    body: "[A-Za-z0-9]{37}",
    examples: ["zuY6EfV6JGMtRew1Vum3Gl3F2kMvNmEcTlu26", "IxryoG1Ef29x8CTgGdQCHmAtQybSeJ4i27wPM"],
  }),
];
