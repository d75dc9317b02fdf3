import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const messagebird: readonly EntityDetector[] = [
  assignedToken({
    id: "messagebird-token",
    entityType: "MESSAGEBIRD_TOKEN",
    description: "API token of MessageBird.",
    owners: ["message bird"],
    value: "[A-Za-z0-9]{25}",
    exampleName: "api_token",
    examples: ["P6WiTykckrLvvewhooCFYhkQW", "aX0KY54wc7Tui1DomWv9uEKzr"],
  }),
  assignedToken({
    id: "messagebird-client-id",
    entityType: "MESSAGEBIRD_CLIENT_ID",
    description: "Client id of MessageBird.",
    owners: ["message bird"],
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "client_id",
    examples: ["865ec41b-74b5-2be2-492e-9a34d5316541", "82a817ad-3e53-9f13-1c6e-15b358168329"],
  }),
];
