import { Type, type Static } from "typebox";
import { members, wholeNumber } from "../documented-schema.ts";
import { BudgetUse } from "./budget.ts";
import { listOf } from "./fields.ts";

const keys = (description: string) => wholeNumber(0, Number.MAX_SAFE_INTEGER, { description });

/** `GET /teams`: keys of one organization whose team has the same name. */
export const Team = members(
  {
    orgId: Type.String({ description: "The organization." }),
    name: Type.String({ description: "The team, as its keys name it." }),
    keys: keys("Its active keys, expired ones too."),
    revokedKeys: keys("Its revoked keys. A team that has only these has no budget."),
    budgets: Type.Array(BudgetUse, {
      description:
        "Of each rolling window the smallest budget that an active key names, with what the keys that name a budget of this window have spent. Empty: no key names one.",
      maxItems: 4,
    }),
  },
  { description: "A team and its budgets." },
);
export type Team = Static<typeof Team>;

export const TeamList = listOf(Team, "Teams that keys name.", "by organization and name");
