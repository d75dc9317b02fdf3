import { Type, type Static } from "typebox";

const usd = Type.String({
  pattern: "^-?\\d+\\.\\d{6}$",
  description: "US dollars, a decimal with six places.",
});

/** One line of an organization's books (design section 7). Written once, never changed. */
export const LedgerEntry = Type.Object(
  {
    id: Type.String({ description: "The entry's place in its organization's ledger, from 1." }),
    type: Type.Union([Type.Literal("debit"), Type.Literal("top_up"), Type.Literal("correction")]),
    amountUsd: Type.Unsafe<string>({
      ...usd,
      description:
        "What was moved: taken by a debit, added by a top-up, added by a correction (which may be negative).",
    }),
    balanceAfterUsd: usd,
    idempotencyKey: Type.String({ description: "Unique in the organization's ledger." }),
    requestId: Type.Union([Type.String(), Type.Null()]),
    catalogVersion: Type.Union([Type.String(), Type.Null()], {
      description:
        "The price list that a debit was computed with: of models, or of scans; else null.",
    }),
    usage: Type.Union([Type.Record(Type.String(), Type.Integer({ minimum: 0 })), Type.Null()], {
      description: "Tokens by bucket, as they were billed.",
    }),
    createdAt: Type.String({ format: "date-time" }),
  },
  { additionalProperties: false },
);
export type LedgerEntry = Readonly<Static<typeof LedgerEntry>>;
