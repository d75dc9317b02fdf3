import type { EntityCategory } from "./entity.ts";

/** How far the run around a match is looked at, in UTF-16 code units to each side. */
const runUnitsMax = 128;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hash = /^(?:0x)?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i;

/**
 * Whether a match stands inside something that only looks like data of a person: a UUID, a hex hash,
 * encoded bytes, an identifier. Credentials are such runs themselves; what tells them is in their
 * own patterns.
 */
export function isNoise(
  category: EntityCategory,
  text: string,
  start: number,
  end: number,
): boolean {
  if (category === "credential") return false;
  const run = runAround(text, start, end);
  return run.length > end - start && (uuid.test(run) || hash.test(run));
}

/** The match with the letters, digits, hyphens and underscores that adjoin it. */
function runAround(text: string, start: number, end: number): string {
  let from = start;
  while (from > 0 && start - from < runUnitsMax && isRunUnit(text.charCodeAt(from - 1))) from -= 1;
  let to = end;
  while (to < text.length && to - end < runUnitsMax && isRunUnit(text.charCodeAt(to))) to += 1;
  return text.slice(from, to);
}

function isRunUnit(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x61 && unit <= 0x7a) ||
    unit === 0x2d ||
    unit === 0x5f
  );
}
