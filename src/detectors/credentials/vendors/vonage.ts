import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const vonage: readonly EntityDetector[] = [
  assignedToken({
    id: "vonage-api-secret",
    entityType: "VONAGE_SECRET",
    description: "API secret of Vonage (Nexmo).",
    owners: ["vonage", "nexmo"],
    what: "secret",
    value: "[A-Za-z0-9]{16}",
    exampleName: "api_secret",
    examples: ["arTpW87nLQuscbdp", "WEdTCxUoHRU2Pdzz"],
  }),
];
