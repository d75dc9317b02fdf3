import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const jetbrains: readonly EntityDetector[] = [
  markedToken({
    id: "jetbrains-token",
    entityType: "JETBRAINS_TOKEN",
    description: "Permanent token of YouTrack, Hub or Space.",
    prefix: ["perm:", "perm-"],
    body: String.raw`[A-Za-z0-9=]{4,60}\.[A-Za-z0-9=]{4,60}\.[A-Za-z0-9]{30}`,
    examples: [
      "kPOn0fmw.58L7a9IJIr2t.2H1aQp45nMmgFjOJWaZDE8fedB4nuA",
      "MvSb4Kll.AcYWKByP83AX.fMtUU51WSDAa1wOizHaSh1H3UONwpZ",
    ],
  }),
];
