import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const mailjet: readonly EntityDetector[] = [
  assignedToken({
    id: "mailjet-key",
    entityType: "MAILJET_KEY",
    description: "API key or secret of Mailjet.",
    owners: ["mailjet", "mj apikey"],
    value: "[0-9a-f]{32}",
    examples: ["7108f713dc9337d1128430d047bd593b", "94e9181475d826204f22a5b32e22636e"],
  }),
];
