/** The reason why a value is not a price. */
export type DecimalFault = "not_a_number" | "negative" | "too_large" | "too_fine";

const wholeDigitsMax = 6;
const decimalPlacesMax = 18;

/**
 * A number times a power of ten as a decimal string without an exponent. It shifts the shortest
 * decimal for the number, so no digit is lost. `decimalOf(1.25e-6, 6)` is `"1.25"`.
 */
export function decimalOf(
  value: unknown,
  powerOfTen: number,
): { readonly text: string } | { readonly fault: DecimalFault } {
  if (typeof value !== "number" || !Number.isFinite(value)) return { fault: "not_a_number" };
  if (value < 0) return { fault: "negative" };
  const [mantissa = "", exponent = "0"] = value.toString().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const point = whole.length + Number(exponent) + powerOfTen;
  const digits = (whole + fraction).padEnd(point, "0");
  const text = point > 0 ? digits.slice(0, point) : "0";
  const places = (point > 0 ? digits.slice(point) : "0".repeat(-point) + digits).replace(/0+$/, "");
  const integer = text.replace(/^0+(?=\d)/, "");
  if (integer.length > wholeDigitsMax) return { fault: "too_large" };
  if (places.length > decimalPlacesMax) return { fault: "too_fine" };
  return { text: places === "" ? integer : `${integer}.${places}` };
}
