import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const stripe: readonly EntityDetector[] = [
  markedToken({
    id: "stripe-key",
    entityType: "STRIPE_KEY",
    description: "Secret or restricted API key of Stripe.",
    prefix: ["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
    body: "[A-Za-z0-9]{10,247}",
    examples: ["eoE6rp9gewoG2MuxUkqcikro", "4A1tsGOUVKZgEslypo500mPm"],
  }),
  markedToken({
    id: "stripe-webhook-secret",
    entityType: "STRIPE_WEBHOOK_SECRET",
    description: "Webhook signing secret of Stripe.",
    prefix: "whsec_",
    body: "[A-Za-z0-9+/]{24,64}={0,2}",
    examples: ["lKL8RU4edSoeVMVniQpmxX7lzG70Ow57", "TqwzOtaEJNgDf4Y3ai1rY7Z1VaCRAY4N"],
  }),
];
