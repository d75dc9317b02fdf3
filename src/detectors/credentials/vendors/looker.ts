import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const looker: readonly EntityDetector[] = [
  assignedToken({
    id: "looker-client-secret",
    entityType: "LOOKER_SECRET",
    description: "Client secret of Looker.",
    owners: ["looker"],
    value: "[A-Za-z0-9]{24}",
    exampleName: "client_secret",
    examples: ["0RO268RQEipxQSbQQOhZnzSZ", "Ql23YtenrxSMUBBiTju6KGJA"],
  }),
  assignedToken({
    id: "looker-client-id",
    entityType: "LOOKER_CLIENT_ID",
    description: "Client id of Looker.",
    owners: ["looker"],
    value: "[A-Za-z0-9]{20}",
    exampleName: "client_id",
    examples: ["ieCeEvzRA6P7ydIru2Uw", "eqfxhn0N3BtP5dW0xvvC"],
  }),
];
