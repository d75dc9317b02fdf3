import type { MatchClause, PriceFileModel } from "./price-file.ts";

type Test = (model: string) => boolean;

/** The model of the list that a name means. */
export interface FoundModel {
  /** Its place in the order. */
  readonly place: number;
  /**
   * Whether the list has exactly this name. Otherwise the name only begins, ends or looks like a listed
   * one: it may be a newer model that costs something else.
   */
  readonly isNamed: boolean;
}

/**
 * Finds the model of a provider that a name means: the first one in their order with a matching clause.
 * Four of five rules are full names, which are looked up; the others are tried one by one, so the
 * result should be remembered.
 */
export class ModelRules {
  /** Names spelled out, with the place of their model in the order. */
  readonly #exact = new Map<string, number>();
  readonly #others: { readonly place: number; readonly matches: Test }[] = [];
  readonly #models: readonly PriceFileModel[];

  constructor(models: readonly PriceFileModel[]) {
    this.#models = models;
    for (const [place, { id, match }] of models.entries()) {
      for (const clause of match ?? [`=${id.toLowerCase()}`]) {
        if (typeof clause !== "string" || !clause.startsWith("=")) {
          this.#others.push({ place, matches: testOf(clause) });
        } else if (!this.#exact.has(clause.slice(1))) {
          this.#exact.set(clause.slice(1), place);
        }
      }
    }
  }

  /** undefined: none. */
  find(model: string): FoundModel | undefined {
    const name = model.toLowerCase();
    return this.#find(name) ?? this.#find(withDashedDates(name));
  }

  #find(name: string): FoundModel | undefined {
    const place = this.#placeOf(name);
    const model = this.#models[place ?? -1];
    return place === undefined || model === undefined
      ? undefined
      : { place, isNamed: isNamedIn(model, name) };
  }

  #placeOf(name: string): number | undefined {
    const exact = this.#exact.get(name);
    for (const { place, matches } of this.#others) {
      if (exact !== undefined && exact < place) break;
      if (matches(name)) return place;
    }
    return exact;
  }
}

/** A clause without an operand matches all of the provider's models: they all have this price. */
function isNamedIn({ id, match = [] }: PriceFileModel, name: string): boolean {
  if (id.toLowerCase() === name) return true;
  return match.some(
    (clause) =>
      typeof clause === "string" &&
      !clause.startsWith("~") &&
      (clause.length === 1 || clause.slice(1) === name),
  );
}

function testOf(clause: MatchClause): Test {
  if (typeof clause !== "string") {
    const tests = clause.map(testOf);
    return (model) => tests.every((matches) => matches(model));
  }
  const operand = clause.slice(1);
  switch (clause[0]) {
    case "=":
      return (model) => model === operand;
    case "^":
      return (model) => model.startsWith(operand);
    case "$":
      return (model) => model.endsWith(operand);
    case "*":
      return (model) => model.includes(operand);
    case "~": {
      const pattern = new RegExp(operand);
      return (model) => pattern.test(model);
    }
    default:
      throw new TypeError(`a match clause without an operator: ${clause}`);
  }
}

/** `gpt-5-20250807` is known as `gpt-5-2025-08-07`. */
function withDashedDates(name: string): string {
  return name.replace(/-(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g, "-$1-$2-$3");
}
