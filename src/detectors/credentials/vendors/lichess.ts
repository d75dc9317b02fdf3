import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const lichess: readonly EntityDetector[] = [
  markedToken({
    id: "lichess-token",
    entityType: "LICHESS_TOKEN",
    description: "Personal access token of Lichess.",
    prefix: ["lip_", "lio_"],
    body: "[A-Za-z0-9]{20,24}",
    examples: ["cxKNzM5Lla8HaL05FWkx", "sipGixFP4yxkWbAu4PaV"],
  }),
];
