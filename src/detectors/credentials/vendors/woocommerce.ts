import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const woocommerce: readonly EntityDetector[] = [
  markedToken({
    id: "woocommerce-key",
    entityType: "WOOCOMMERCE_KEY",
    description: "Consumer key or secret of WooCommerce.",
    prefix: ["ck_", "cs_"],
    body: "[0-9a-f]{40}",
    examples: [
      "d33ccbe0ddd3f00ee4c7c27e6ecad23ef87d6f3f",
      "e5c31053d06b205afde49091f02f76e7aaeef0f7",
    ],
  }),
];
