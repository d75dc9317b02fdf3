import { type Culture, cultures } from "./own-words.ts";
import type { Random } from "./random.ts";
import * as sources from "./sources.ts";

/** Draws people's names: half of the English-speaking census, half of the rest of the world. */
export class NameForms {
  readonly #random: Random;
  readonly #census = sources.censusNames();
  readonly #given = sources.givenNames();
  readonly #mixed = sources.mixedNames();
  readonly #cultures = cultures();
  #culture: Culture | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The names until the next call come from one culture; undefined: from all. */
  settle(culture?: string): void {
    if (culture !== undefined) this.#culture = this.#cultures.find(({ id }) => id === culture);
    else this.#culture = this.#random.chance(0.5) ? this.#random.pick(this.#cultures) : undefined;
  }

  first(): string {
    const random = this.#random;
    if (this.#culture !== undefined && random.chance(0.85)) return random.pick(this.#culture.given);
    const draw = random.next();
    if (draw < 0.7) return random.pickFront(this.#census.given);
    return draw < 0.95 ? random.pick(this.#given) : random.pick(this.#mixed);
  }

  last(): string {
    const random = this.#random;
    if (this.#culture !== undefined && random.chance(0.8))
      return random.pick(this.#culture.surnames);
    const draw = random.next();
    if (draw < 0.6) return random.pickFront(this.#census.surnames);
    return draw < 0.75 ? random.pick(this.#census.surnames) : random.pick(this.#mixed);
  }

  initial(): string {
    return "ABCDEFGHJKLMNPRSTVW".charAt(this.#random.below(19));
  }

  full(): string {
    const random = this.#random;
    const draw = random.next();
    const first = this.first();
    const last = this.last();
    if (draw < 0.62) return `${first} ${last}`;
    if (draw < 0.72) return `${first} ${this.initial()}. ${last}`;
    if (draw < 0.76) return `${first} ${this.initial()} ${last}`;
    if (draw < 0.82) return `${first} ${this.first()} ${last}`;
    if (draw < 0.87) return `${first} ${last} ${this.last()}`;
    if (draw < 0.91) return `${first} ${last}-${this.last()}`;
    if (draw < 0.93) return `${first}-${this.first()} ${last}`;
    if (draw < 0.96) return `${this.initial()}. ${last}`;
    if (draw < 0.98) return `${last} ${first}`;
    return first;
  }
}
