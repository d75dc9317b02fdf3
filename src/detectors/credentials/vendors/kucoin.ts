import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const kucoin: readonly EntityDetector[] = [
  assignedToken({
    id: "kucoin-access-key",
    entityType: "KUCOIN_KEY",
    description: "API key of KuCoin.",
    owners: ["kucoin"],
    value: "[0-9a-f]{24}",
    exampleName: "access_key",
    examples: ["607abc86bf5e58f94c8f7b05", "3c5293e49ce2d65ad6ff0546"],
  }),
  assignedToken({
    id: "kucoin-secret-key",
    entityType: "KUCOIN_SECRET",
    description: "API secret of KuCoin.",
    owners: ["kucoin"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "secret_key",
    examples: ["648d17eb-9131-14a7-d44f-a24519f521ad", "2ade37a7-9322-ad1b-854c-1ce3f00907ef"],
  }),
];
