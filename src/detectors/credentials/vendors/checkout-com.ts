import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const checkoutCom: readonly EntityDetector[] = [
  assignedToken({
    id: "checkout-com-key",
    entityType: "CHECKOUT_COM_KEY",
    description: "Secret key of Checkout.com.",
    owners: ["checkout", "cko"],
    value: "sk_(?:sbox_)?[a-z2-7]{26,27}[A-Za-z0-9*#$=]?",
    exampleName: "secret_key",
    examples: ["sk_sbox_zjeunebcbplaagl3rqc6qggb3hv", "sk_sbox_axcto5aisvmz5ve4a3a4ox5f7hi"],
  }),
];
