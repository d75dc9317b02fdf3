import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const adobe: readonly EntityDetector[] = [
  markedToken({
    id: "adobe-client-secret",
    entityType: "ADOBE_SECRET",
    description: "Client secret of Adobe.",
    prefix: "p8e-",
    body: "[A-Za-z0-9_-]{32}",
    examples: ["fvFedma4wgXlOA2ES0hU8TqquYf2j0d4", "15BQnSc7MFiyft5RAPeURcn2L8YUbie4"],
  }),
  assignedToken({
    id: "adobe-client-id",
    entityType: "ADOBE_CLIENT_ID",
    description: "Client id of Adobe.",
    owners: ["adobe"],
    value: "[0-9a-f]{32}",
    exampleName: "client_id",
    examples: ["5909bfc61ede5211933d8e314080dd10", "f943d698bcbcaad889979c0182c27826"],
  }),
];
