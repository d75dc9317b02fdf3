import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const gocardless: readonly EntityDetector[] = [
  assignedToken({
    id: "gocardless-token",
    entityType: "GOCARDLESS_TOKEN",
    description: "Access token of GoCardless.",
    owners: ["gocardless"],
    value: String.raw`(?:live|sandbox)_[\w=-]{40,43}`,
    exampleName: "access_token",
    examples: [
      "live_wDgYnzDcBjeVmaCjgdyKRoEP2uzBM6zLBtFbbFxo",
      "live_GWz6RtRzfmfCSUzaYuF6WcqZFj4QYpHIeKRipImu",
    ],
  }),
];
