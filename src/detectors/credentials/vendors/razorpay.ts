import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const razorpay: readonly EntityDetector[] = [
  markedToken({
    id: "razorpay-key",
    entityType: "RAZORPAY_KEY",
    description: "API key id of Razorpay.",
    prefix: ["rzp_live_", "rzp_test_"],
    body: "[A-Za-z0-9]{14,20}",
    examples: ["ewF6af5biXPOlQ", "wdViQpxeP3iwOz"],
  }),
  assignedToken({
    id: "razorpay-secret",
    entityType: "RAZORPAY_SECRET",
    description: "API key secret of Razorpay.",
    owners: ["razorpay", "rzp"],
    what: "secret",
    value: "[A-Za-z0-9]{24}",
    exampleName: "key_secret",
    examples: ["hDZxSdelkBKzMvoPlQPekYtC", "Q34BexzRDW8xHIsdmXUXhcjc"],
  }),
];
