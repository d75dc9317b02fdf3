import { Type, type Static } from "typebox";
import { members, wholeNumber } from "../documented-schema.ts";
import { balanceUsdMax } from "../limits.ts";
import { LedgerEntry } from "../ledger.ts";
import { dataOf, listOf } from "./fields.ts";

const idempotencyKey = Type.String({
  description:
    "Chosen by the caller, unique in the organization's ledger: the same request again changes nothing.",
  errorMessage: "a string of 1 to 200 characters",
  minLength: 1,
  maxLength: 200,
});

const amountMessage = 'a decimal string such as "25.00"';
const balanceMax = `A balance is at most ${balanceUsdMax} US dollars.`;

export const CreateTopUp = members(
  {
    amountUsd: Type.String({
      description: `US dollars, more than 0, a decimal with at most six places. ${balanceMax}`,
      errorMessage: amountMessage,
    }),
    idempotencyKey,
  },
  { description: "Money to be added to a balance." },
);
export type CreateTopUp = Static<typeof CreateTopUp>;

export const CreateCorrection = members(
  {
    amountUsd: Type.String({
      description: `US dollars, a decimal with at most six places, not 0. Less than 0 takes money away, at most what is available. ${balanceMax}`,
      errorMessage: amountMessage,
    }),
    idempotencyKey,
  },
  { description: "Money to be added to a balance, or taken from it, that is no top-up." },
);
export type CreateCorrection = Static<typeof CreateCorrection>;

const usd = (description: string) => Type.String({ description });

export const BalanceAnswer = members(
  {
    balanceUsd: usd("US dollars, six places. Never negative."),
    availableUsd: usd("What requests in flight leave to be spent."),
    holds: wholeNumber(0, Number.MAX_SAFE_INTEGER, { description: "Requests in flight." }),
    isLow: Type.Boolean({ description: "Whether it is below `billing.lowBalanceUsd`." }),
  },
  { description: "An organization's prepaid balance." },
);

export const LedgerEntryAnswer = dataOf(LedgerEntry, "The entry that was made.");
export const LedgerList = listOf(LedgerEntry, "A page of the ledger.", "newest first");

export const LedgerMonth = members(
  {
    month: Type.String({ description: "UTC.", pattern: "^\\d{4}-\\d{2}$" }),
    debitsUsd: usd("What was debited."),
    topUpsUsd: usd("What was topped up."),
    correctionsUsd: usd("What corrections added, less what they took."),
    entries: wholeNumber(0, Number.MAX_SAFE_INTEGER, { description: "Entries of that month." }),
  },
  { description: "What an organization's ledger moved in one month." },
);
export const LedgerMonths = members(
  { data: Type.Array(LedgerMonth, { description: "The latest first, at most 120." }) },
  { description: "Months with entries." },
);
