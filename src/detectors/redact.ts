import type { EntityMatch } from "./entity.ts";

/**
 * The text with `<LABEL>` in place of each value. `matches` are sorted by `start` and don't overlap,
 * as the engine gives them.
 */
export function redact(text: string, matches: readonly EntityMatch[]): string {
  let redacted = "";
  let from = 0;
  for (const { detector, start, end } of matches) {
    redacted += `${text.slice(from, start)}<${detector.label}>`;
    from = end;
  }
  return redacted + text.slice(from);
}
