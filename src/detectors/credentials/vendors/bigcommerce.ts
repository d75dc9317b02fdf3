import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const bigcommerce: readonly EntityDetector[] = [
  assignedToken({
    id: "bigcommerce-token",
    entityType: "BIGCOMMERCE_TOKEN",
    description: "Access token of BigCommerce.",
    owners: ["bigcommerce"],
    value: "[A-Za-z0-9]{31,40}",
    exampleName: "access_token",
    examples: ["vRHinRk2IUg5EpOkmmnJRtQjIaPBsPF", "4u8rUI0ILagPeWdblOZUTkirVxpPVPB"],
  }),
];
