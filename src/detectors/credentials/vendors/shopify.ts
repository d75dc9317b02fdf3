import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const shopify: readonly EntityDetector[] = [
  markedToken({
    id: "shopify-token",
    entityType: "SHOPIFY_TOKEN",
    description: "Access token or shared secret of Shopify.",
    prefix: ["shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shptka_"],
    body: "[A-Za-z0-9]{32,44}",
    examples: ["9DA9c8572Ac3351f908C9F0f3BfFcDC9", "aBE6aE76cDeCd6FECC404CdF6178d402"],
  }),
];
