import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const coinmarketcap: readonly EntityDetector[] = [
  assignedToken({
    id: "coinmarketcap-api-key",
    entityType: "COINMARKETCAP_API_KEY",
    description: "API key of CoinMarketCap.",
    owners: ["coinmarketcap", "cmc pro"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["a9c0c6bb-f52a-f3ec-4436-f305dc1426cb", "aed1a31f-9296-8e94-141c-36bbe3ccbbf3"],
  }),
];
