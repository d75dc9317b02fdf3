import { usageWindows, type UsageWindow } from "../../contract/usage-limit.ts";
import type { Rows } from "../journal/batch.ts";
import { encodeHead, readHead } from "./stored-windows.ts";
import { countsOf, markOf } from "./usage-count.ts";
import { UsageRing, usageRingBytes } from "./usage-ring.ts";
import { headKey } from "./window-change.ts";
import type { TimelineMark } from "./window-timeline.ts";

interface CountedWindow {
  readonly window: UsageWindow;
  readonly amounts: Map<number, bigint>;
}

/**
 * Adds the counts of requests to the rows of their windows. The row of each window is read and
 * written once.
 */
export class UsageRows {
  readonly #rows: Rows<string, Uint8Array>;
  readonly #windows = new Map<string, CountedWindow>();
  #mark: TimelineMark | null = null;

  constructor(rows: Rows<string, Uint8Array>) {
    this.#rows = rows;
  }

  add(line: string): void {
    const mark = markOf(line);
    if (this.#mark === null || mark.timelineMs > this.#mark.timelineMs) this.#mark = mark;
    for (const { name, window, tick, amount } of countsOf(line)) {
      let counted = this.#windows.get(name);
      if (counted === undefined) {
        this.#windows.set(name, (counted = { window, amounts: new Map() }));
      }
      counted.amounts.set(tick, (counted.amounts.get(tick) ?? 0n) + amount);
    }
  }

  /** To be called once, inside a transaction. */
  write(): void {
    for (const [name, counted] of this.#windows) this.#writeRow(name, counted);
    if (this.#mark !== null) this.#writeHead(this.#mark);
  }

  #writeRow(name: string, { window, amounts }: CountedWindow): void {
    const before = this.#rows.get(name);
    if (before?.length === usageRingBytes) bytes.set(before);
    else bytes.fill(0);
    ring.open(cell, usageWindows.indexOf(window));
    for (const tick of amounts.keys()) ring.advance(cell, tick);
    for (const [tick, amount] of amounts) ring.addAt(cell, tick, amount);
    this.#rows.putSync(name, bytes.slice());
  }

  /** After a restart the timeline continues from here; it never goes back. */
  #writeHead({ wallMs, timelineMs }: TimelineMark): void {
    const head = readHead(this.#rows);
    if (head === undefined || head.timelineMs >= timelineMs) return;
    this.#rows.putSync(headKey, encodeHead({ ...head, wallMs, timelineMs }));
  }
}

/** Holds one row at a time, in the form of a slot in memory. */
const bytes = new Uint8Array(usageRingBytes);
const ring = new UsageRing({
  int64: new BigInt64Array(bytes.buffer),
  float64: new Float64Array(bytes.buffer),
  bytesPerCell: usageRingBytes,
});
const cell = 0;
