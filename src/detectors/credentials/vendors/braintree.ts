import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const braintree: readonly EntityDetector[] = [
  assignedToken({
    id: "braintree-private-key",
    entityType: "BRAINTREE_KEY",
    description: "Private key of Braintree.",
    owners: ["braintree"],
    value: "[0-9a-f]{32}",
    exampleName: "private_key",
    examples: ["456ae080024d51bfabc04ab6188358fc", "a05969d8172badb6bc9be628edf4b180"],
  }),
];
