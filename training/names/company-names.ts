import { wordLists } from "./own-words.ts";
import type { Random } from "./random.ts";
import * as sources from "./sources.ts";

/** What companies are named after. */
export interface Namesakes {
  last(): string;
  city(): string;
  country(): string;
}

/** Invents company names, and draws words of real ones. */
export class CompanyNames {
  readonly #random: Random;
  readonly #namesakes: Namesakes;
  readonly #lists = wordLists();
  readonly #words = sources.companyWords();

  constructor(random: Random, namesakes: Namesakes) {
    this.#random = random;
    this.#namesakes = namesakes;
  }

  next(): string {
    const draw = this.#random.next();
    if (draw < 0.22) return `${this.#word("orgword")} ${this.#field()}${this.#suffix()}`;
    if (draw < 0.32) return `${this.#word("orgword")} ${this.#word("orgword")} ${this.#field()}`;
    if (draw < 0.42) return `${this.#namesakes.last()} ${this.#field()}`;
    if (draw < 0.5) return this.#partners();
    if (draw < 0.56) return `${this.#namesakes.last()} ${this.#word("orgsuffix")}`;
    if (draw < 0.7) return this.#brand() + this.#suffix();
    if (draw < 0.84) return this.#random.pick(this.#words) + this.#suffix();
    if (draw < 0.9) return `${this.#namesakes.city()} ${this.#field()}`;
    if (draw < 0.95) return this.#word("bigcompany");
    return `${this.#field()} of ${this.#namesakes.country()}`;
  }

  #partners(): string {
    const joint = this.#random.pick([" & ", "-", " and ", ", "]);
    return this.#namesakes.last() + joint + this.#namesakes.last();
  }

  /** Words that mean nothing: Velora, Quantix. */
  #brand(): string {
    return this.#word("brandstart") + this.#word("brandmiddle") + this.#word("brandend");
  }

  #field(): string {
    return this.#word("orgfield");
  }

  #suffix(): string {
    return this.#random.chance(0.45) ? ` ${this.#word("orgsuffix")}` : "";
  }

  #word(key: string): string {
    return this.#random.pick(this.#lists.get(key) ?? []);
  }
}
