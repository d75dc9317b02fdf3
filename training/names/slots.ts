import { CompanyNames } from "./company-names.ts";
import { NameForms } from "./name-forms.ts";
import { streetForms, wordLists } from "./own-words.ts";
import type { Random } from "./random.ts";
import * as sources from "./sources.ts";

/** Label of a piece of generated text; undefined: part of no name. */
export type PieceLabel = "person" | "location" | "organization" | "address" | undefined;

export interface Piece {
  readonly text: string;
  readonly label: PieceLabel;
}

/** Fills the slots of templates with invented values. */
export class Slots {
  readonly #random: Random;
  readonly #names: NameForms;
  readonly #lists = wordLists();
  readonly #streets = streetForms();
  readonly #cities: readonly string[];
  readonly #towns: readonly string[];
  readonly #countries: readonly string[];
  readonly #regions = sources.regions();
  readonly #nationalities: readonly string[];
  readonly #companies: CompanyNames;
  readonly #words: readonly string[];

  constructor(random: Random) {
    this.#random = random;
    this.#names = new NameForms(random);
    const cities = [...sources.cities()].sort((a, b) => b.population - a.population);
    this.#cities = cities.slice(0, 5_000).map((city) => city.name);
    this.#towns = cities.filter((city) => city.population >= 1_500).map((city) => city.name);
    const { english, other } = sources.countries();
    this.#countries = [...english, ...english, ...english, ...english, ...other.slice(0, 400)];
    this.#companies = new CompanyNames(random, {
      last: () => this.#names.last(),
      city: () => this.#city(),
      country: () => random.pick(this.#countries),
    });
    this.#words = vocabulary();
    this.#nationalities = this.#lists.get("nationality") ?? [];
  }

  /** Before a template: the names of one text mostly belong together. */
  begin(culture?: string): void {
    this.#names.settle(culture);
  }

  fill(slot: string): readonly Piece[] {
    const person = (text: string): Piece[] => [{ text, label: "person" }];
    switch (slot) {
      case "name":
        return person(this.#names.full());
      case "first":
        return person(this.#names.first());
      case "last":
        return person(this.#names.last());
      case "NAME":
        return person(this.#names.full().toUpperCase());
      case "FIRST":
        return person(this.#names.first().toUpperCase());
      case "LAST":
        return person(this.#names.last().toUpperCase());
      case "i":
        return person(this.#names.initial());
      case "address":
        return this.#address([", ", ", ", " ", "\n"]);
      case "block":
        return this.#address(["\n", "\n", "\n ", ",\n"]);
      default:
        return this.#place(slot);
    }
  }

  #place(slot: string): readonly Piece[] {
    const location = (text: string): Piece[] => [{ text, label: "location" }];
    const address = (text: string): Piece[] => [{ text, label: "address" }];
    switch (slot) {
      case "city":
        return location(this.#city());
      case "CITY":
        return location(this.#city().toUpperCase());
      case "country":
        return location(this.#random.pick(this.#countries));
      case "COUNTRY":
        return location(this.#random.pick(this.#countries).toUpperCase());
      case "region":
        return location(this.#random.pick(this.#regions));
      case "us":
      case "feature":
        return location(this.#word(slot));
      case "place":
        return this.fill(this.#random.pick(["city", "city", "country", "region"]));
      case "street":
        return address(this.#street());
      case "streetname":
        return address(this.#street("en").replace(/^[\dA-Z,]+ (?=\S+ )/, ""));
      case "unit":
      case "pobox":
        return address(this.#word(slot));
      case "zip":
        return address(this.#zip());
      default:
        if (slot.endsWith("street")) return address(this.#street(slot.slice(0, 2)));
        return this.#organization(slot);
    }
  }

  #organization(slot: string): readonly Piece[] {
    const organization = (text: string): Piece[] => [{ text, label: "organization" }];
    switch (slot) {
      case "org":
        return organization(this.#companies.next());
      case "agency":
      case "team":
      case "university":
      case "hospital":
        return organization(this.#expand(this.#word(slot)));
      case "nat":
        return [{ text: this.#random.pick(this.#nationalities), label: undefined }];
      default:
        return [{ text: this.#value(slot), label: undefined }];
    }
  }

  #value(slot: string): string {
    const random = this.#random;
    switch (slot) {
      case "n":
        return String(random.between(1, random.pick([9, 99, 99, 999])));
      case "year":
        return String(random.between(1890, 2026));
      case "time":
        return `${random.between(0, 23)}:${String(random.between(0, 59)).padStart(2, "0")}`;
      case "date":
        return this.#date();
      case "money":
        return random.pick(["$", "€", "£", "USD ", "EUR "]) + String(random.between(1, 99_999));
      case "phone":
        return `+${random.between(1, 99)} ${random.between(100, 999)} ${random.between(10_000, 9_999_999)}`;
      case "email":
        return `${this.#names.first().toLowerCase()}${random.below(99)}@example.${random.pick(["com", "org", "net"])}`;
      case "url":
        return `https://www.example.${random.pick(["com", "org"])}/${random.below(999)}`;
      case "id":
        return random.pick(["A", "CX-", "INV", "", "#"]) + String(random.between(1000, 9_999_999));
      case "nth":
        return random.pick(["1st", "2nd", "3rd", "5th", "12th", "21st", "42nd", "88th"]);
      case "word":
        return random.pick(this.#words);
      case "Word":
        return sources.capitalize(random.pick(this.#words));
      case "WORD":
        return random.pick(this.#words).toUpperCase();
      default:
        return this.#word(slot);
    }
  }

  #word(key: string): string {
    const list = this.#lists.get(key);
    if (list === undefined) throw new Error(`no slot {${key}}`);
    return this.#expand(this.#random.pick(list));
  }

  /** Slots inside a value. */
  #expand(value: string): string {
    return value.replace(/\{([a-z]+)\}/g, (_, slot: string) =>
      this.fill(slot)
        .map((piece) => piece.text)
        .join(""),
    );
  }

  #date(): string {
    const random = this.#random;
    const day = random.between(1, 28);
    const year = random.between(1940, 2026);
    const month = random.between(1, 12);
    return random.pick([
      `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`,
      `${day}/${month}/${year}`,
      `${day}.${month}.${year}`,
      `${this.#word("month")} ${day}, ${year}`,
      `${day} ${this.#word("month")} ${year}`,
      `${this.#word("month")} ${day}`,
    ]);
  }

  #city(): string {
    const random = this.#random;
    return random.chance(0.6) ? random.pickFront(this.#cities) : random.pick(this.#towns);
  }

  #zip(): string {
    const random = this.#random;
    const digits = String(random.between(10_000, 99_999));
    const draw = random.next();
    if (draw < 0.7) return digits;
    if (draw < 0.8) return digits.slice(1);
    if (draw < 0.85) return `${digits}-${random.between(1000, 9999)}`;
    if (draw < 0.9) return `${digits.slice(0, 3)} ${digits.slice(3)}`;
    if (draw < 0.95)
      return `${random.pick(["SW1A", "EC2", "M4", "LS9"])} ${random.between(1, 9)}AB`;
    return `K${random.below(9)}A ${random.below(9)}B${random.below(9)}`;
  }

  #street(language?: string): string {
    const random = this.#random;
    const any = language ?? (random.chance(0.4) ? "en" : random.pick(this.#streets).language);
    const form = random.pick(this.#streets.filter((street) => street.language === any)).form;
    const filled = form.replaceAll("{w}", () => this.#streetWord());
    return this.#expand(
      filled.replaceAll("{n}", () => String(random.between(1, random.pick([9, 99, 250, 9999])))),
    );
  }

  #streetWord(): string {
    const random = this.#random;
    const draw = random.next();
    if (draw < 0.45) return this.#word("streetword");
    if (draw < 0.7) return this.#names.last().split(" ").at(-1) ?? "";
    return random.pick(this.#towns).split(" ")[0] ?? "";
  }

  #address(separators: readonly string[]): Piece[] {
    const random = this.#random;
    const between = random.pick(separators);
    const pieces: Piece[] = [];
    const add = (slot: string, before = between): void => {
      if (pieces.length > 0) pieces.push({ text: before, label: undefined });
      pieces.push(...this.fill(slot));
    };
    const house = random.chance(0.15);
    add(house ? "n" : random.chance(0.08) ? "pobox" : "street");
    if (house) add("street", " ");
    if (random.chance(0.25)) add("unit", random.pick([between, ", ", " "]));
    const draw = random.next();
    if (draw < 0.3) {
      add("zip");
      add("city", " ");
    } else if (draw < 0.55) {
      add("city");
      add("us", random.pick([", ", " "]));
      if (random.chance(0.8)) add("zip", " ");
    } else {
      add("city");
      if (random.chance(0.3)) add("region");
      if (random.chance(0.3)) add("zip", " ");
    }
    if (random.chance(0.45)) {
      add("country");
      if (random.chance(0.25)) add("zip", " ");
    }
    return pieces.map((piece, at) => (house && at === 0 ? { ...piece, label: "address" } : piece));
  }
}

/** Words that begin sentences and headings; those that are common names too are left to the texts. */
function vocabulary(): string[] {
  const names = new Set([...sources.givenNames(), ...sources.censusNames().given]);
  return [...sources.englishWords()].filter((word) => !names.has(sources.capitalize(word)));
}
