import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const paystack: readonly EntityDetector[] = [
  assignedToken({
    id: "paystack-key",
    entityType: "PAYSTACK_KEY",
    description: "Secret key of Paystack.",
    owners: ["paystack"],
    value: "sk_(?:live|test)_[0-9a-f]{40}",
    score: 0.97,
    exampleName: "secret_key",
    examples: [
      "sk_live_b8c71013a2f6d6169b7d26de134bd02026079e38",
      "sk_live_f79117f2648c54d9827fb1cb62bca967f30db1ec",
    ],
  }),
];
