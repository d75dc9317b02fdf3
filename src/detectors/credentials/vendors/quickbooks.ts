import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const quickbooks: readonly EntityDetector[] = [
  assignedToken({
    id: "quickbooks-client-secret",
    entityType: "QUICKBOOKS_SECRET",
    description: "Client secret of Intuit QuickBooks.",
    owners: ["quickbooks", "intuit"],
    what: "secret",
    value: "[A-Za-z0-9]{40}",
    exampleName: "client_secret",
    examples: [
      "crjinfzInySByU1pPeviHtmvMOfh8aWy5rnd4Tvw",
      "zKRnB1vriL7Qml3pcYuKUcLGiRq3rTvV2REak5xY",
    ],
  }),
];
