import { effect, signal } from "@preact/signals";

const themePlace = "weir.theme";
const zonePlace = "weir.zone";

export type Theme = "system" | "light" | "dark";

export const theme = signal<Theme>(readTheme());
/** IANA. */
export const zone = signal(
  localStorage.getItem(zonePlace) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
);

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  localStorage.setItem(themePlace, theme.value);
});
effect(() => localStorage.setItem(zonePlace, zone.value));

function readTheme(): Theme {
  const kept = localStorage.getItem(themePlace);
  return kept === "light" || kept === "dark" ? kept : "system";
}
