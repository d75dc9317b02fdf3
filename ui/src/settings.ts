import { computed, effect, signal } from "@preact/signals";

const themePlace = "weir.theme";
const zonePlace = "weir.zone";

export type Theme = "system" | "light" | "dark";

export const theme = signal<Theme>(readTheme());
/** The zone that this browser keeps; IANA. */
export const keptZone = signal(
  localStorage.getItem(zonePlace) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
);
/** The zone that the page's address names, so that a link shows the days that its sender saw. */
export const zoneOfAddress = signal<string | null>(null);
/** The zone in which times are shown, and in which days end. */
export const zone = computed(() => zoneOfAddress.value ?? keptZone.value);

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  localStorage.setItem(themePlace, theme.value);
});
effect(() => localStorage.setItem(zonePlace, keptZone.value));

function readTheme(): Theme {
  const kept = localStorage.getItem(themePlace);
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** Whether this browser knows a zone. */
export function isZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
