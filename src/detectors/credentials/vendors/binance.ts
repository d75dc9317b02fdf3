import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const binance: readonly EntityDetector[] = [
  assignedToken({
    id: "binance-key",
    entityType: "BINANCE_KEY",
    description: "API key or secret of Binance.",
    owners: ["binance"],
    value: "[A-Za-z0-9]{64}",
    exampleName: "secret_key",
    examples: [
      "3ApTePOZhk6Y9TgmuMgCHvMsaT1tHpIJN2bIM1hKP2saOjZjqiTDNXIE2OO8EvdH",
      "UDtMch2vpBjpmJRsrO0ZDhEcG1sKH2bVJqZJyfqMh7V6G3QMpxdtaDYMFnxyfD3p",
    ],
  }),
];
