import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const midtrans: readonly EntityDetector[] = [
  markedToken({
    id: "midtrans-server-key",
    entityType: "MIDTRANS_KEY",
    description: "Server key of Midtrans.",
    prefix: ["Mid-server-", "SB-Mid-server-"],
    body: String.raw`[\w-]{20,32}`,
    examples: ["4lCklYN0DYMjom2lTUsumaVV", "xAnEwo76Q2i3AuKrJ03ekVXy"],
  }),
];
