import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const freemius: readonly EntityDetector[] = [
  assignedToken({
    id: "freemius-secret-key",
    entityType: "FREEMIUS_SECRET",
    description: "Secret key of Freemius.",
    owners: ["secret key"],
    what: null,
    value: String.raw`sk_[^\s\"'\x60]{29}`,
    exampleName: "",
    examples: ["sk_j25Dy0ieBleyn4CkRiXsHafONGnYv", "sk_VfGNrLCll18ut1a9anUuzTMgrPJu7"],
  }),
];
