import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const gitguardian: readonly EntityDetector[] = [
  assignedToken({
    id: "gitguardian-api-key",
    entityType: "GITGUARDIAN_API_KEY",
    description: "API key of GitGuardian.",
    owners: ["gitguardian"],
    value: "[A-Za-z0-9]{72}",
    examples: [
      "1d3BXHdnMb09dw0ZDh3lHY5r0ELwmpS2PZxTJT3K8cJ0NDOtmUYieCYdLv8UXcZ5U8pqIi1P",
      "8YihiDTWoUieRXcQJ58TZhrk7kvhrFxdhvCaizMDXvEbQ4TMU0nmHnqUrgRF2G96P9XjhTe5",
    ],
  }),
];
