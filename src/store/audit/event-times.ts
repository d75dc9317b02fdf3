import { auditTimesLooksMax } from "../../contract/limits.ts";
import type { JournalTables } from "../journal/batch.ts";

/** The least and the greatest time of a block's events, in the form of their lines. */
export type TimeSpan = readonly [least: string, greatest: string];

/** Events of one block of each level; a block of one level is 256 blocks of the level below it. */
const widths = [256, 256 ** 2, 256 ** 3] as const;

/**
 * Stores the times of events by block, so that a filter of times can skip blocks (docs/decisions/0030).
 * `first` is the index of the first event. Call it inside a transaction, in any order: a block's range
 * only grows.
 */
export function noteEventTimes(
  rows: JournalTables["eventTimes"],
  first: number,
  times: readonly string[],
): void {
  for (const [level, width] of widths.entries()) {
    let at = 0;
    while (at < times.length) {
      const index = Math.floor((first + at) / width);
      const end = Math.min((index + 1) * width - first, times.length);
      widen(rows, level, index, spanOf(times, at, end));
      at = end;
    }
  }
}

function widen(
  rows: JournalTables["eventTimes"],
  level: number,
  index: number,
  [least, greatest]: TimeSpan,
): void {
  const known = rows.get([level, index]);
  if (known !== undefined && known[0] <= least && known[1] >= greatest) return;
  rows.putSync(
    [level, index],
    [
      known === undefined || least < known[0] ? least : known[0],
      known === undefined || greatest > known[1] ? greatest : known[1],
    ],
  );
}

function spanOf(times: readonly string[], from: number, end: number): TimeSpan {
  let [least, greatest] = [times[from] ?? "", times[from] ?? ""];
  for (let at = from + 1; at < end; at += 1) {
    const time = times[at] ?? "";
    if (time < least) least = time;
    if (time > greatest) greatest = time;
  }
  return [least, greatest];
}

/** Times in the form of events: from `since`, before `until`; null: any. */
export interface TimeBounds {
  readonly since: string | null;
  readonly until: string | null;
}

/**
 * Finds the places where the log may have events of these times, in the state of one moment. Each
 * call looks at a bounded number of blocks, so a returned place may have none.
 */
export class EventTimes {
  readonly #rows: JournalTables["eventTimes"];
  readonly #bounds: TimeBounds;
  /** The times of blocks that begin before this event are not completely indexed. */
  readonly #notedFrom: number;
  /** For each level, the result of the last look. */
  readonly #last: { index: number; may: boolean }[] = widths.map(() => ({ index: -1, may: true }));
  #looks = 0;

  constructor(
    { eventTimes, meta }: Pick<JournalTables, "eventTimes" | "meta">,
    bounds: TimeBounds,
  ) {
    this.#rows = eventTimes;
    this.#bounds = bounds;
    this.#notedFrom = meta.get("eventTimesFrom") ?? 0;
  }

  /** The number of blocks that were examined. */
  get looks(): number {
    return this.#looks;
  }

  /**
   * The first place from `from` on that may have such an event; `end` or more: there is none before it.
   */
  next(from: number, end: number): number {
    const looksMax = this.#looks + auditTimesLooksMax;
    let at = from;
    while (at < end && this.#looks < looksMax) {
      const barren = this.#barrenAround(at);
      if (barren === null) return at;
      at = (barren.index + 1) * barren.width;
    }
    return at;
  }

  /**
   * Like `next`, but backwards: from the result up to `end` there is no such event. 0: there is none
   * at all before `end`.
   */
  previous(end: number): number {
    const looksMax = this.#looks + auditTimesLooksMax;
    let at = end;
    while (at > 0 && this.#looks < looksMax) {
      const barren = this.#barrenAround(at - 1);
      if (barren === null) return at;
      at = barren.index * barren.width;
    }
    return at;
  }

  /**
   * The largest block around an event that has no such event; null: the smallest block may have one.
   */
  #barrenAround(event: number): { readonly index: number; readonly width: number } | null {
    const { since, until } = this.#bounds;
    if (since === null && until === null) return null;
    for (let level = widths.length - 1; level >= 0; level -= 1) {
      const width = widths[level] ?? 1;
      const index = Math.floor(event / width);
      if (!this.#may(level, index, width)) return { index, width };
    }
    return null;
  }

  #may(level: number, index: number, width: number): boolean {
    const last = this.#last[level];
    if (last?.index === index) return last.may;
    this.#looks += 1;
    const may = index * width < this.#notedFrom || this.#overlaps(this.#rows.get([level, index]));
    this.#last[level] = { index, may };
    return may;
  }

  #overlaps(span: TimeSpan | undefined): boolean {
    if (span === undefined) return true;
    const { since, until } = this.#bounds;
    const [least, greatest] = span;
    return (since === null || greatest >= since) && (until === null || least < until);
  }
}
