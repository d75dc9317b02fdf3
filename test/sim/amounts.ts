import { formatUsd, microUsd, parseUsd } from "../../src/contract/money.ts";

/** Of an amount that may be negative; it must be spelled as amounts are. */
export function amountOf(text: string): bigint {
  const isNegative = text.startsWith("-");
  const parsed = parseUsd(isNegative ? text.slice(1) : text);
  if (!parsed.ok) throw new Error(`${text} is no amount`);
  const amount = isNegative ? 0n - parsed.value : parsed.value;
  if (formatUsd(microUsd(amount)) !== text) throw new Error(`${text} is not spelled so`);
  return amount;
}
