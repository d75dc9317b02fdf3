import type { Figure } from "../report/figure.ts";

export type FigureHead = Omit<Figure, "rounds">;

/** Collects each figure's rounds as they are measured. */
export class FigureBook {
  readonly #figures = new Map<string, FigureHead & { readonly rounds: number[] }>();
  readonly #failures = new Map<string, Figure>();

  add(head: FigureHead, value: number): void {
    const figure = this.#figures.get(head.id) ?? { ...head, rounds: [] };
    figure.rounds.push(value);
    this.#figures.set(head.id, figure);
  }

  /** A load that a subject did not do as it should has no figures, but this one, with the reason. */
  fail(load: string, subject: string, reason: string): void {
    const id = `macro/failed/${load}/${subject}`;
    const rounds = [...(this.#failures.get(id)?.rounds ?? []), 1];
    const unit = "failed rounds";
    const label = load;
    const group = "Loads that a subject failed";
    this.#failures.set(id, {
      id,
      group,
      label,
      subject,
      unit,
      better: "lower",
      rounds,
      note: reason,
    });
  }

  hasFailed(load: string, subject: string): boolean {
    return this.#failures.has(`macro/failed/${load}/${subject}`);
  }

  /** In the order in which they were first measured; what has failed comes last. */
  figures(): readonly Figure[] {
    return [...this.#figures.values(), ...this.#failures.values()];
  }
}
