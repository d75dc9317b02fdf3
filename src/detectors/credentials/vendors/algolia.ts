import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const algolia: readonly EntityDetector[] = [
  assignedToken({
    id: "algolia-api-key",
    entityType: "ALGOLIA_API_KEY",
    description: "API key of Algolia.",
    owners: ["algolia"],
    value: "[a-z0-9]{32}",
    examples: ["oyp92hbb3ykgps39iazvpunjrn6xsp2m", "9zju3xs87r90hoo2gyvtwtbozr2qp2mu"],
  }),
];
