import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const retool: readonly EntityDetector[] = [
  markedToken({
    id: "retool-token",
    entityType: "RETOOL_TOKEN",
    description: "API token of Retool.",
    prefix: "retool_",
    body: "[0-9a-z]{26}",
    examples: ["s9hudpf24hoav6jgwg62ij2t94", "c1zkur2lblcf062tqusupfyetf"],
  }),
];
