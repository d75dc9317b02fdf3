import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const plaid: readonly EntityDetector[] = [
  markedToken({
    id: "plaid-access-token",
    entityType: "PLAID_TOKEN",
    description: "Access token of Plaid.",
    prefix: [
      "access-sandbox-",
      "access-development-",
      "access-production-",
      "public-sandbox-",
      "public-production-",
    ],
    body: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["82a99e66-735b-e940-36cc-beaf7d978615", "ca598cfd-7e5f-ca90-34ff-340390fa8a72"],
  }),
  assignedToken({
    id: "plaid-secret",
    entityType: "PLAID_SECRET",
    description: "Secret of Plaid.",
    owners: ["plaid"],
    value: "[A-Za-z0-9]{30}",
    exampleName: "secret",
    examples: ["fOQ7ObaIQTfUy4iEueBojIpgFbd86a", "gjwvRPPYGq3Enjlm198pVYCnKCEn5p"],
  }),
  assignedToken({
    id: "plaid-client-id",
    entityType: "PLAID_CLIENT_ID",
    description: "Client id of Plaid.",
    owners: ["plaid"],
    value: "[A-Za-z0-9]{24}",
    exampleName: "client_id",
    examples: ["689125c5ae75d5f2fec214f4", "9b104edf28642c6b408cdae4"],
  }),
];
