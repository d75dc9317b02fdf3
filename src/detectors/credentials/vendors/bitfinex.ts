import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const bitfinex: readonly EntityDetector[] = [
  assignedToken({
    id: "bitfinex-key",
    entityType: "BITFINEX_KEY",
    description: "API key or secret of Bitfinex.",
    owners: ["bitfinex"],
    value: "[A-Za-z0-9]{43}|[0-9a-f]{39}",
    exampleName: "api_secret",
    examples: [
      "UdcEXMFhojiz2IHJXJG9cn8SsboNwYBNxtHYX2ksICm",
      "cBg2fYv2SecqrTrwgH5ubnJ0G7wa9aaHDxdu3dT30l8",
    ],
  }),
];
