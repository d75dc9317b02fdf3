/**
 * `half_up`: to the nearest, a half away from zero. `up`: to the next, for amounts that must not be too
 * low.
 */
export type Rounding = "half_up" | "up";

/**
 * The one place where money is rounded (design section 5): `numerator / denominator` as a whole
 * number. The denominator is positive. A cost is rounded once, at the end of its sum.
 */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator <= 0n) throw new RangeError("the denominator of an amount must be positive");
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  if (rest === 0n) return quotient;
  if (rounding === "up") return rest > 0n ? quotient + 1n : quotient;
  if (rest > 0n) return 2n * rest >= denominator ? quotient + 1n : quotient;
  return -2n * rest >= denominator ? quotient - 1n : quotient;
}
