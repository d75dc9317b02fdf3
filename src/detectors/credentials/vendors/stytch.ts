import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const stytch: readonly EntityDetector[] = [
  markedToken({
    id: "stytch-secret",
    entityType: "STYTCH_SECRET",
    description: "Project secret of Stytch.",
    prefix: ["secret-live-", "secret-test-"],
    body: String.raw`[\w-]{36}=`,
    examples: ["FqxyLoc67d1XLoEIQUCXsIvdbd7sH0lEIMy3=", "DRlPnvO5LYNAg5YtLWSpJYPdALjkdjkL56nu="],
  }),
];
