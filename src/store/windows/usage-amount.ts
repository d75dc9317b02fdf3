import type { UsageAmounts, UsageCap } from "./usage-windows.ts";

/** The amount that a cap counts. */
export function amountOf({ type }: Pick<UsageCap, "type">, amounts: UsageAmounts): bigint {
  switch (type) {
    case "cost":
      return amounts.costMicroUsd;
    case "tokens":
      return amounts.tokens;
    case "requests":
      return amounts.requests;
  }
}
