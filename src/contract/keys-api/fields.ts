import { Type, type TSchema } from "typebox";
import { members, oneOf, wholeNumber } from "../documented-schema.ts";
import { idCharsMax, nameCharsMax, rateLimitMax, usdWholeDigitsMax } from "../limits.ts";
import { timeWindows, usageWindows } from "../usage-limit.ts";

/** Fields that several bodies and answers of the keys API share. */

/** A value or null. `expected` follows "must be" if it is neither. */
export function nullable<const S extends TSchema>(
  schema: S,
  description: string,
  expected: string,
) {
  return Type.Union([schema, Type.Null()], { description, errorMessage: `${expected} or null` });
}

export function name(description: string) {
  return Type.String({
    description,
    // The lookahead fails fast on blanks. The work of the rest is bounded for a value of any length.
    // Half of a surrogate pair is no character. In UTF-8, two different halves would become the same name.
    pattern: `^(?!\\s*$)[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]{1,${nameCharsMax}}$`,
    errorMessage: `a text of 1 to ${nameCharsMax} characters, not blank and without control characters`,
  });
}

/** Ids are compared, never parsed; the bound keeps look-ups short. */
export function id(description: string) {
  return Type.String({ description, pattern: `^[!-~]{1,${idCharsMax}}$`, errorMessage: "an id" });
}

export function moment(description: string) {
  return Type.String({ format: "date-time", description });
}

const usd = Type.String({
  description: "US dollars, a decimal string.",
  pattern: `^(?!0(\\.0*)?$)(0|[1-9][0-9]{0,${usdWholeDigitsMax - 1}})(\\.[0-9]{1,6})?$`,
  errorMessage: 'a positive decimal string such as "25.00" with at most 6 places',
  examples: ["25.00"],
});

export const BudgetBody = members(
  {
    usd,
    window: oneOf([...usageWindows, ...timeWindows], {
      description: "The rolling window, named as usage limits do or as refusals do.",
    }),
  },
  { description: "A hard cap on what is spent; over it: `budget_exceeded`." },
);

export const budget = nullable(
  BudgetBody,
  "What may be spent in a rolling window; null: as much as there is.",
  'a budget such as {"usd": "25.00", "window": "day"}',
);

export const rateLimit = nullable(
  wholeNumber(1, rateLimitMax, { description: "Requests a minute." }),
  "Requests a minute; null: no cap.",
  `a whole number from 1 to ${rateLimitMax}`,
);

export const securityPolicyId = nullable(
  id("A policy of the organization."),
  "The security policy of the organization that applies; null: the next wider one.",
  "the id of a security policy",
);

/** `{"data": …}`. */
export function dataOf<const S extends TSchema>(schema: S, description: string) {
  return members({ data: schema }, { description });
}

/** A page of a list. */
export function listOf<const S extends TSchema>(
  schema: S,
  description: string,
  order = "oldest first",
) {
  return members(
    {
      data: Type.Array(schema, { description: `The rows, ${order}.` }),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: "What `cursor` takes for the next page; null: this is the last one.",
      }),
    },
    { description },
  );
}
