import type { CountryCode } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/metadata.max.json";

/**
 * The telephone numbers of a country, from libphonenumber's metadata. Its own parser takes 20 to 130
 * µs per number, so a megabyte of numbers would keep a thread busy for ten seconds. These patterns
 * take about 1 µs per number. The test compares the two.
 */
export interface NumberingPlan {
  /** The lengths without the calling code and the national prefix. */
  readonly lengths: ReadonlySet<number>;
  /** The digits that are dialled before a number inside the country; empty if there are none. */
  readonly nationalPrefix: string;
  /** Matches a complete number without calling code and prefix. */
  readonly pattern: RegExp;
}

/** The indexes of a plan's members in the metadata of version 4. */
const place = { lengths: 3, nationalPrefix: 5, types: 11 } as const;

const plansByCallingCode = new Map<string, readonly NumberingPlan[]>();

/** The plans for an international number's digits, and the digits after the calling code. */
export function plansOf(digits: string): readonly [plans: readonly NumberingPlan[], rest: string] {
  for (const length of [1, 2, 3]) {
    const plans = plansWith(digits.slice(0, length));
    if (plans.length > 0) return [plans, digits.slice(length)];
  }
  return [[], digits];
}

export function planOf(country: CountryCode): NumberingPlan {
  return planFrom(metadata.countries[country] ?? []);
}

function plansWith(callingCode: string): readonly NumberingPlan[] {
  const known = plansByCallingCode.get(callingCode);
  if (known) return known;
  if (!(callingCode in metadata.country_calling_codes)) {
    const nowhere = metadata.nonGeographic[callingCode];
    return nowhere ? remember(callingCode, [planFrom(nowhere)]) : [];
  }
  const countries = metadata.country_calling_codes[callingCode] ?? [];
  return remember(callingCode, countries.map(planOf));
}

/** The number of existing calling codes bounds this map. */
function remember(callingCode: string, plans: readonly NumberingPlan[]): readonly NumberingPlan[] {
  plansByCallingCode.set(callingCode, plans);
  return plans;
}

function planFrom(members: readonly unknown[]): NumberingPlan {
  const prefix = members[place.nationalPrefix];
  const types = arrayOf(members[place.types]);
  const patterns = types.map((type) => arrayOf(type)[0]).filter((one) => typeof one === "string");
  return {
    lengths: new Set(arrayOf(members[place.lengths]).map(Number)),
    nationalPrefix: typeof prefix === "string" ? prefix : "",
    pattern: new RegExp(`^(?:${patterns.filter((one) => one !== "").join("|") || "[]"})$`),
  };
}

function arrayOf(member: unknown): readonly unknown[] {
  return Array.isArray(member) ? member : [];
}
