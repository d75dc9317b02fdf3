import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const salesforce: readonly EntityDetector[] = [
  markedToken({
    id: "salesforce-session-id",
    entityType: "SALESFORCE_TOKEN",
    description: "Access token or session id of Salesforce.",
    prefix: "00D",
    body: String.raw`[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?![\w.]{80,140}`,
    examples: [
      "w8MyY3OloPLm!4myzLH9ogTpQ1Yb2w3rCvZasYvkCaXtuWtx078WkpgWSO27UXen2r70MVvJqCIzqOznYNfv32GhDBboMoKX4Rc45SdZMEBvV",
      "NYo4MqgS2CUO!VBYugJ1dLys78thhVRvseYnkIfahK3MYf32Bs2xFBRqfbPRTarohyZc3ugBOScFixOEs4Zx8WeKZ1VDFVZRdJPf73RKrAhTD",
    ],
  }),
];
