import { Type, type Static } from "typebox";
import { members, wholeNumber } from "../documented-schema.ts";
import { BudgetBody, dataOf, nullable } from "./fields.ts";

const usd = (description: string) => Type.String({ description });

/** A budget with what was spent of it. */
export const BudgetUse = members(
  {
    ...BudgetBody.properties,
    usedUsd: usd("What was spent in the rolling window until now, US dollars, six places."),
    exceeded: Type.Boolean({ description: "Whether all of it is spent." }),
  },
  { description: "A hard cap on what is spent, and its use." },
);
export type BudgetUse = Static<typeof BudgetUse>;

/** `GET /orgs/{id}/budget`: what the books know of an organization's money. */
export const OrgBudget = members(
  {
    orgId: Type.String({ description: "The organization." }),
    budget: nullable(BudgetUse, "Its budget; null: it has none.", "a budget"),
    balanceUsd: usd("The prepaid balance, US dollars, six places. Never negative."),
    availableUsd: usd("What requests in flight leave to be spent."),
    heldUsd: usd("What requests in flight hold: the balance less what is available."),
    holds: wholeNumber(0, Number.MAX_SAFE_INTEGER, { description: "Requests in flight." }),
    isLow: Type.Boolean({
      description: "Whether the balance is below `billing.lowBalanceUsd`.",
    }),
    month: Type.String({ description: "This month, UTC.", pattern: "^\\d{4}-\\d{2}$" }),
    spentUsd: usd("What the ledger debited this month."),
  },
  { description: "What an organization may spend, has and has spent." },
);
export type OrgBudget = Static<typeof OrgBudget>;

export const OrgBudgetAnswer = dataOf(OrgBudget, "An organization's money.");
