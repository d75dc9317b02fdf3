import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const mercadoPago: readonly EntityDetector[] = [
  markedToken({
    id: "mercado-pago-token",
    entityType: "MERCADO_PAGO_TOKEN",
    description: "Access token of Mercado Pago.",
    prefix: ["APP_USR-", "TEST-"],
    body: String.raw`\d{14,18}-\d{6}-[0-9a-f]{32}-\d{6,12}`,
    examples: [
      "7468964305473635-378991-e36907fe31beb162152b8c0869d71a1f-764448707",
      "3573308738695341-780486-bff8779274fc483367c6c671a0d628a3-345348551",
    ],
  }),
];
