import { microUsd, type MicroUsd } from "../contract/money.ts";
import { divideRounded } from "./round.ts";

/** A JSON number that is not negative. */
const jsonNumber = /^([0-9]{1,24})(?:\.([0-9]{1,64}))?(?:[eE]([+-]?[0-9]{1,3}))?$/;

/**
 * A cost in the provider's spelling (`0.00014`, `1.4e-4`), in micro-dollars. undefined: absent,
 * negative, not a number, or more than `usdMax`; then it is ignored.
 */
export function reportedCost(text: string | null, usdMax: number): MicroUsd | undefined {
  const parts = text === null ? null : jsonNumber.exec(text);
  if (parts === null) return undefined;
  const [, whole = "0", places = "", exponent = "0"] = parts;
  const digits = BigInt(whole + places);
  const microUsdExponent = Number(exponent) - places.length + 6;
  const amount =
    microUsdExponent >= 0
      ? digits * 10n ** BigInt(microUsdExponent)
      : divideRounded(digits, 10n ** BigInt(-microUsdExponent), "half_up");
  return amount > BigInt(usdMax) * 1_000_000n ? undefined : microUsd(amount);
}
