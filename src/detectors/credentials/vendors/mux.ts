import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const mux: readonly EntityDetector[] = [
  assignedToken({
    id: "mux-token-secret",
    entityType: "MUX_SECRET",
    description: "Token secret of Mux.",
    owners: ["mux token", "mux secret", "mux"],
    value: "[A-Za-z0-9+/]{75}",
    exampleName: "token_secret",
    examples: [
      "V7zlrkw1Bl80MTucz8FtsGvVEMB6buQDJlS2CGSsJd0l5pGgxljFhyizjwIVuzk3XrbIju6BFBo",
      "Pr0fQZ71RvmxjmzziLmoH2ReBwUEzLvw9V8ZuQ4qTt8Lu1MTAtk3EFfJJ7tkBfbNb50QthoD6NO",
    ],
  }),
];
