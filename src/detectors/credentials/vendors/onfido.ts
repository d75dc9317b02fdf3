import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const onfido: readonly EntityDetector[] = [
  markedToken({
    id: "onfido-token",
    entityType: "ONFIDO_TOKEN",
    description: "API token of Onfido.",
    prefix: ["api_live.", "api_sandbox.", "api_live_us.", "api_live_ca."],
    body: String.raw`[\w-]{11}\.[\w-]{32}`,
    examples: [
      "880QtTXeovJ.wkYGDHSGT5clroqCEjVz9Uvkur5UDksN",
      "nMKTUwpYmOC.bVvuqvGYHLqhU2jEu88EGs9gcOsSt8CO",
    ],
  }),
];
