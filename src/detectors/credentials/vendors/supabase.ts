import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const supabase: readonly EntityDetector[] = [
  markedToken({
    id: "supabase-token",
    entityType: "SUPABASE_TOKEN",
    description: "Access token or secret key of Supabase.",
    prefix: "sbp_",
    body: "[0-9a-f]{40}|v0_[0-9a-f]{40}",
    examples: [
      "e5753c7fe55adb0c215a60039527b23fab153bf6",
      "55a2196caba2d6796dd64433a50c6f5bc47f6b00",
    ],
  }),
  markedToken({
    id: "supabase-secret-key",
    entityType: "SUPABASE_TOKEN",
    description: "Access token or secret key of Supabase.",
    prefix: "sb_secret_",
    body: "[A-Za-z0-9_-]{22}_[A-Za-z0-9_-]{8}",
    examples: ["Q7Dh3yE-g42ipqnX1fkkjb_d93oQGXy", "9KTUMAFGrM14gENAsIrsD3_mbLFecbV"],
  }),
];
