import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const twilio: readonly EntityDetector[] = [
  markedToken({
    id: "twilio-api-key",
    entityType: "TWILIO_API_KEY",
    description: "API key SID of Twilio.",
    prefix: "SK",
    body: "[0-9a-fA-F]{32}",
    examples: ["01cb307815ff0d22ea4f811c2933bb7d", "d0e2e8969da717d8d594ae5d7ec486d1"],
  }),
  assignedToken({
    id: "twilio-account-sid",
    entityType: "TWILIO_ACCOUNT_SID",
    description: "Account SID of Twilio.",
    owners: ["twilio", "account sid"],
    what: null,
    value: "AC[0-9a-f]{32}",
    exampleName: "account_sid",
    examples: ["ACf4b4b3fbbc85b23ec8d9cdcb6d6eac40", "AC99137fbee01c550dd374d6b78f97d4e5"],
  }),
  assignedToken({
    id: "twilio-auth-token",
    entityType: "TWILIO_AUTH_TOKEN",
    description: "Auth token of Twilio.",
    owners: ["twilio"],
    what: "(?:token|secret|passw)",
    value: "[A-Za-z0-9]{32}",
    exampleName: "auth_token",
    examples: ["d34bdbd20b2082c5ce5b670b43341206", "b65ecd4366bb5a9da153939ed966a608"],
  }),
];
