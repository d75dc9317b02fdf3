import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const resend: readonly EntityDetector[] = [
  markedToken({
    id: "resend-api-key",
    entityType: "RESEND_API_KEY",
    description: "API key of Resend.",
    prefix: "re_",
    body: "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}",
    examples: ["qoo9qi4f_MLan3aHXskh4faFAYAFsebpuaXpG", "7XBuQ4K4_LN0KbtIDG9DhlJRMKMftl3tmhcZ3"],
  }),
];
