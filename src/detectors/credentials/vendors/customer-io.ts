import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const customerIo: readonly EntityDetector[] = [
  assignedToken({
    id: "customer-io-key",
    entityType: "CUSTOMER_IO_KEY",
    description: "API key of Customer.io.",
    owners: ["customer io"],
    value: "[0-9a-f]{32}|[0-9a-f]{20}",
    examples: ["35dfc879906cea4ecf991d43bcdff758", "e2cc3943a609c0b3c5c9b19e2686116a"],
  }),
];
