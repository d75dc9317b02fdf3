import type { Figure } from "../report/figure.ts";

/** One load with one subject. */
export interface Part {
  /** The part of the figures' ids after `macro/`, such as `json/16`. */
  readonly load: string;
  readonly subject: string;
  readonly group: string;
}

export interface Value {
  readonly what: string;
  readonly label: string;
  readonly unit: string;
  readonly better: Figure["better"];
  readonly value: number;
}

/** Collects each figure's rounds as they are measured. */
export class FigureBook {
  readonly #figures = new Map<string, { part: string; figure: Figure; rounds: number[] }>();
  readonly #failures = new Map<string, Figure>();
  readonly #onFailure: (what: string) => void;

  /** `onFailure` is called at once with the subject, the load and the reason of a failure. */
  constructor(onFailure: (what: string) => void) {
    this.#onFailure = onFailure;
  }

  add({ load, subject, group }: Part, { what, label, unit, better, value }: Value): void {
    const id = `macro/${load}/${what}/${slug(subject)}`;
    const rounds = this.#figures.get(id)?.rounds ?? [];
    rounds.push(value);
    const figure = { id, group, label, subject, unit, better, rounds };
    this.#figures.set(id, { part: partOf(load, subject), figure, rounds });
  }

  fail({ load, subject }: Part, reason: string): void {
    this.#onFailure(`${subject} failed ${load}: ${reason}`);
    this.#failures.set(partOf(load, subject), {
      id: `macro/failed/${load}/${slug(subject)}`,
      group: "Loads that a subject failed",
      label: load,
      subject,
      unit: "failed",
      better: "lower",
      rounds: [1],
      note: reason,
    });
  }

  hasFailed({ load, subject }: Part): boolean {
    return this.#failures.has(partOf(load, subject));
  }

  /**
   * The figures in the order of their first measurement. If a subject failed a load, it has only the
   * failure and its reason, at the end.
   */
  figures(): readonly Figure[] {
    const sound = [...this.#figures.values()].filter(({ part }) => !this.#failures.has(part));
    return [...sound.map(({ figure }) => figure), ...this.#failures.values()];
  }
}

function partOf(load: string, subject: string): string {
  return `${load}/${subject}`;
}

/** `weir, own keys` → `weir-own-keys`. */
export function slug(subject: string): string {
  return subject.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}
