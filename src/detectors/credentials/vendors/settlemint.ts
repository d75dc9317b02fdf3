import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const settlemint: readonly EntityDetector[] = [
  markedToken({
    id: "settlemint-token",
    entityType: "SETTLEMINT_TOKEN",
    description: "Access token of SettleMint.",
    prefix: ["sm_pat_", "sm_aat_", "sm_sat_"],
    body: "[A-Za-z0-9]{16}",
    examples: ["BjQ70ntdwdsiVT8q", "UspBJZp0Ixs4uatR"],
  }),
];
