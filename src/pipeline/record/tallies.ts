import { Counter, Histogram, type Registry } from "prom-client";

/*
 * prom-client builds and sorts a text of the labels for each count, which costs a request several
 * microseconds. A tally counts in an array, and prom-client is told at the scrape. Labels are bounded,
 * as in all metrics.
 */

type LabelValue = string | number;

interface TallyOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly registry: Registry;
}

/** Numbers for combinations of label values: 0, 1, 2, … in the order of their first coming. */
class Slots {
  /** By slot. */
  readonly labels: Readonly<Record<string, LabelValue>>[] = [];
  readonly #names: readonly string[];
  readonly #first: Branch = { slot: -1, next: new Map() };

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** A value for each name; `undefined` behind the last. */
  slotOf(a?: LabelValue, b?: LabelValue, c?: LabelValue): number {
    let branch = this.#first;
    if (a !== undefined) branch = next(branch, a);
    if (b !== undefined) branch = next(branch, b);
    if (c !== undefined) branch = next(branch, c);
    if (branch.slot < 0) branch.slot = this.#newSlot([a, b, c]);
    return branch.slot;
  }

  /** The slot of these values; undefined if they have not come yet. */
  known(a: LabelValue, b: LabelValue): number | undefined {
    return this.#first.next.get(a)?.next.get(b)?.slot;
  }

  #newSlot(values: readonly (LabelValue | undefined)[]): number {
    const labels: Record<string, LabelValue> = {};
    for (const [i, name] of this.#names.entries()) {
      const value = values[i];
      if (value !== undefined) labels[name] = value;
    }
    return this.labels.push(labels) - 1;
  }
}

interface Branch {
  slot: number;
  readonly next: Map<LabelValue, Branch>;
}

function next(branch: Branch, value: LabelValue): Branch {
  let found = branch.next.get(value);
  if (found === undefined) {
    found = { slot: -1, next: new Map() };
    branch.next.set(value, found);
  }
  return found;
}

/** A counter with up to three labels. */
export class Tally {
  readonly #slots: Slots;
  #counts = new Float64Array(16);
  /** What the counter was told of. */
  #told = new Float64Array(16);

  constructor({ name, help, labelNames, registry }: TallyOptions) {
    const slots = new Slots(labelNames);
    this.#slots = slots;
    const takeNew = (slot: number): number => this.#takeNew(slot);
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const [slot, labels] of slots.labels.entries()) this.inc(labels, takeNew(slot));
      },
    });
  }

  add(count: number, a: LabelValue, b?: LabelValue, c?: LabelValue): void {
    const slot = this.#slots.slotOf(a, b, c);
    if (slot >= this.#counts.length) {
      this.#counts = grown(this.#counts);
      this.#told = grown(this.#told);
    }
    this.#counts[slot] = (this.#counts[slot] ?? 0) + count;
  }

  /** The count of these values. */
  countOf(a: LabelValue, b: LabelValue): number {
    const slot = this.#slots.known(a, b);
    return slot === undefined ? 0 : (this.#counts[slot] ?? 0);
  }

  #takeNew(slot: number): number {
    const count = this.#counts[slot] ?? 0;
    const isNew = count - (this.#told[slot] ?? 0);
    this.#told[slot] = count;
    return isNew;
  }
}

/** A histogram with up to two labels. It is read by `get` alone (`Registry.getMetricsAsJSON`). */
export class HistogramTally extends Histogram {
  readonly #name: string;
  readonly #slots: Slots;
  readonly #bounds: readonly number[];
  /** For each slot: a count for each bound and one for what is above, then the sum. */
  #counts: Float64Array;

  constructor({
    registry,
    buckets,
    ...options
  }: TallyOptions & { readonly buckets: readonly number[] }) {
    super({ ...options, buckets: [...buckets], registers: [registry] });
    this.#name = options.name;
    this.#bounds = buckets;
    this.#slots = new Slots(options.labelNames);
    this.#counts = new Float64Array(4 * this.#width);
    // Without labels there is one slot from the start.
    if (options.labelNames.length === 0) this.#slots.slotOf();
  }

  tally(value: number, a?: LabelValue, b?: LabelValue): void {
    const at = this.#slots.slotOf(a, b) * this.#width;
    if (at >= this.#counts.length) this.#counts = grown(this.#counts);
    const counts = this.#counts;
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
    counts[at + bucket] = (counts[at + bucket] ?? 0) + 1;
    const sum = at + bounds.length + 1;
    counts[sum] = (counts[sum] ?? 0) + value;
  }

  override async get() {
    const histogram = await super.get();
    return {
      ...histogram,
      values: this.#slots.labels.flatMap((labels, slot) => this.#valuesOf(labels, slot)),
    };
  }

  get #width(): number {
    return this.#bounds.length + 2;
  }

  #valuesOf(labels: Readonly<Record<string, LabelValue>>, slot: number) {
    const at = slot * this.#width;
    let count = 0;
    const buckets = [...this.#bounds, "+Inf"].map((le, bucket) => {
      count += this.#counts[at + bucket] ?? 0;
      return { labels: { le, ...labels }, value: count, metricName: `${this.#name}_bucket` };
    });
    const sum = this.#counts[at + this.#bounds.length + 1] ?? 0;
    return [
      ...buckets,
      { labels, value: sum, metricName: `${this.#name}_sum` },
      { labels, value: count, metricName: `${this.#name}_count` },
    ];
  }
}

function grown(counts: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * counts.length);
  larger.set(counts);
  return larger;
}
