import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const amazonMarketplace: readonly EntityDetector[] = [
  markedToken({
    id: "amazon-mws-token",
    entityType: "AMAZON_MWS_TOKEN",
    description: "Auth token of Amazon Marketplace.",
    prefix: "amzn.mws.",
    body: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["e86c4f38-ad53-46b1-dcc4-d5f718f308c0", "30f8ba09-63f5-1d2d-c628-6ef81b66cf0b"],
  }),
  markedToken({
    id: "amazon-login-token",
    entityType: "AMAZON_LOGIN_SECRET",
    description: "Client secret of Login with Amazon.",
    prefix: ["amzn1.oa2-cs.v1.", "amzn1.application-oa2-client."],
    body: "[0-9a-f]{64}|[0-9a-f]{32}",
    examples: [
      "62b471439180f5f303ce626a309b3dfae24f0febd6a2e243a3cbbc608d7c3422",
      "1a87d9956ceeec532540f5d855c68cb559dff8fd7c7caab6157fe455a20d0786",
    ],
  }),
];
