import type { Figure } from "./figure.ts";

/** Figures of the same quantity for several subjects. */
export interface Row {
  readonly label: string;
  readonly unit: string;
  readonly figures: readonly Figure[];
}

export interface Table {
  readonly group: string;
  /** In the order of their first figures. */
  readonly subjects: readonly string[];
  readonly rows: readonly Row[];
}

/** One table for each group, in the order of the figures. */
export function tablesOf(figures: readonly Figure[]): readonly Table[] {
  return Array.from(
    Map.groupBy(figures, ({ group }) => group),
    ([group, ofGroup]) => {
      const byRow = Map.groupBy(ofGroup, ({ label, unit }) => JSON.stringify([label, unit]));
      const rows = Array.from(byRow.values(), (ofRow) => {
        const { label = "", unit = "" } = ofRow[0] ?? {};
        return { label, unit, figures: ofRow };
      });
      return { group, subjects: [...new Set(ofGroup.map(({ subject }) => subject))], rows };
    },
  );
}

/** A number with three significant digits: `12 300`, `1.23`, `0.00123`. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "?";
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(3));
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(rounded))));
  const text = Math.abs(rounded).toFixed(Math.min(digits, 9));
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, " ");
  return `${rounded < 0 ? "−" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** A share in percent, with its sign if it is a change. */
export function percentText(share: number, signed = false): string {
  if (!Number.isFinite(share)) return share > 0 ? "+∞ %" : "−∞ %";
  const percent = Math.abs(share * 100);
  const text = percent < 9.95 ? percent.toFixed(1) : String(Math.round(percent));
  return `${share < 0 ? "−" : signed ? "+" : ""}${text} %`;
}
