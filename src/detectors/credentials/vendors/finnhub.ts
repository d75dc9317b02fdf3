import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const finnhub: readonly EntityDetector[] = [
  assignedToken({
    id: "finnhub-token",
    entityType: "FINNHUB_TOKEN",
    description: "API token of Finnhub.",
    owners: ["finnhub"],
    value: "[A-Za-z0-9]{20}",
    exampleName: "token",
    examples: ["LKENoP6oIVsLW16a2bBr", "Mau54ACT4VniGtEyD3Md"],
  }),
];
