import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const freshdesk: readonly EntityDetector[] = [
  assignedToken({
    id: "freshdesk-api-key",
    entityType: "FRESHDESK_API_KEY",
    description: "API key of Freshdesk.",
    owners: ["freshdesk", "freshservice"],
    value: "[A-Za-z0-9]{20}",
    examples: ["rFlkJgvTzW9AFqA5cPNK", "WWmTTDGMrQYZAFBsKhSB"],
  }),
];
