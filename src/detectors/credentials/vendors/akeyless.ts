import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const akeyless: readonly EntityDetector[] = [
  assignedToken({
    id: "akeyless-access-key",
    entityType: "AKEYLESS_KEY",
    description: "Access key of Akeyless.",
    owners: ["akeyless"],
    value: "[A-Za-z0-9+/]{43}=",
    exampleName: "access_key",
    examples: [
      "jtGHOqYwJilw6nnKIWgb4Rgn7YSFvJWNVnVFyWuNWoZ=",
      "85g8klQnr9oZItRqW1fcNsiPNLRnPCeVnAJBuZH55rm=",
    ],
  }),
];
