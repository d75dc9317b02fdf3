import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const postmark: readonly EntityDetector[] = [
  assignedToken({
    id: "postmark-token",
    entityType: "POSTMARK_TOKEN",
    description: "Server or account token of Postmark.",
    owners: ["postmark"],
    what: "token",
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "server_token",
    examples: ["be78458a-10b4-cf49-6726-d75a3e9c5394", "0fcad69d-8974-ded2-90eb-b45868e54760"],
  }),
];
