import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const endorLabs: readonly EntityDetector[] = [
  markedToken({
    id: "endor-labs-key",
    entityType: "ENDOR_LABS_KEY",
    description: "API key of Endor Labs.",
    prefix: ["endr+"],
    body: "[A-Za-z0-9]{16,24}",
    examples: ["hm8z84E2QXGTFQMg", "7hpCESLux89P1nm9"],
  }),
];
