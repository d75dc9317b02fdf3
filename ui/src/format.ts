import { zone } from "./settings.ts";

export const notReported = "not reported";

/** `2026-01-31 09:30:12` in the chosen zone. */
export function time(iso: string | null): string {
  if (iso === null) return "never";
  const parts = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone.value,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return parts.format(new Date(iso));
}

/** `2026-01-31` in the chosen zone. */
export function day(iso: string): string {
  return time(iso).slice(0, 10);
}

/** Dollars from a decimal string, without the zeros at its end but with two places at least. */
export function usd(text: string | null): string {
  if (text === null) return notReported;
  const [, sign = "", whole = "0", places = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const kept = places.replace(/0+$/, "").padEnd(2, "0");
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, "\u202f")}.${kept}`;
}

export function count(value: number | null): string {
  if (value === null) return notReported;
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function ms(value: number | null): string {
  if (value === null) return notReported;
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  return value >= 100 ? `${value.toFixed(0)} ms` : `${value.toFixed(1)} ms`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}
