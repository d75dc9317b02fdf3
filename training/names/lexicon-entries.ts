import { hashOfPair, wordClass } from "../../src/detectors/names/lexicon.ts";
import { hashOfWord } from "../../src/detectors/names/tokens.ts";
import { cultures, wordLists } from "./own-words.ts";
import * as sources from "./sources.ts";

interface Facts {
  given: number;
  surname: number;
  place: number;
  common: number;
  wordClass: number;
  flags: number;
}

const flag = { role: 1, organization: 2, street: 4, calendar: 8, particle: 16 } as const;

/** Gathers what the lists say of every word; the table of `Lexicon` is laid out from it. */
export class LexiconEntries {
  readonly #facts = new Map<number, Facts>();
  readonly #pairs = new Map<number, Facts>();

  static fromSources(): LexiconEntries {
    const entries = new LexiconEntries();
    entries.#addNames();
    entries.#addPlaces();
    entries.#addVocabulary();
    entries.#addMarkers();
    return entries;
  }

  packed(): Map<number, number> {
    const all = new Map<number, number>();
    for (const [hash, facts] of [...this.#pairs, ...this.#facts]) all.set(hash, packedFacts(facts));
    all.delete(0);
    return all;
  }

  #addNames(): void {
    const census = sources.censusNames();
    census.given.forEach((name, rank) => this.#raise(name, "given", level(rank, 500, 2000)));
    census.surnames.forEach((name, rank) =>
      this.#raise(name, "surname", level(rank, 1500, 12_000)),
    );
    for (const name of sources.givenNames()) this.#raise(name, "given", 1);
    for (const culture of cultures()) {
      for (const name of culture.given) this.#raise(name, "given", 2);
      for (const name of culture.surnames) this.#raise(name, "surname", 2);
    }
    for (const name of sources.mixedNames()) {
      if (this.#of(name).given === 0) this.#raise(name, "surname", 1);
    }
  }

  #addPlaces(): void {
    for (const city of sources.cities()) {
      if (city.population >= 1_500) this.#raisePlace(city.name, city.population >= 150_000 ? 2 : 1);
    }
    for (const region of sources.regions()) this.#raisePlace(region, 2);
    const { english, other } = sources.countries();
    for (const country of [...english, ...other]) this.#raisePlace(country, 3);
    for (const [word, tags] of sources.taggedWords()) {
      if (tags.includes("Country")) this.#raisePlace(word, 3);
      else if (tags.includes("City") || tags.includes("Region")) this.#raisePlace(word, 2);
      else if (tags.includes("Place")) this.#raisePlace(word, 1);
      else if (tags.some((tag) => tag === "MaleName" || tag === "FemaleName")) {
        this.#raise(word, "given", 2);
      } else if (tags.includes("LastName")) this.#raise(word, "surname", 2);
    }
  }

  #addVocabulary(): void {
    for (const word of sources.foreignFunctionWords()) {
      this.#raise(word, "common", 1);
      this.#of(word).wordClass = wordClass.function;
    }
    for (const word of sources.englishWords()) this.#raise(word, "common", 1);
    for (const [word, tags] of sources.taggedWords()) {
      const found = classOf(tags);
      if (found === undefined || word.includes(" ")) continue;
      this.#raise(word, "common", found === wordClass.function ? 3 : 2);
      this.#of(word).wordClass = found;
    }
    for (const word of [...extraFunctionWords, ...(wordLists().get("codeword") ?? [])]) {
      this.#raise(word, "common", 3);
      this.#of(word).wordClass = wordClass.function;
    }
  }

  #addMarkers(): void {
    const lists = wordLists();
    const all = (key: string): string[] =>
      (lists.get(key) ?? []).flatMap((entry) => entry.split(/[ .]+/));
    for (const word of all("role")) this.#mark(word, flag.role);
    for (const word of [...all("orgfield"), ...all("orgsuffix"), ...organizationWords]) {
      if (word.length > 1) this.#mark(word, flag.organization);
    }
    for (const word of sources.companyWords()) {
      if (this.#of(word).common < 2) this.#mark(word, flag.organization);
    }
    for (const word of streetWords) this.#mark(word, flag.street);
    for (const word of otherNames.flatMap(all)) this.#mark(word, flag.calendar);
    for (const [word, tags] of sources.taggedWords()) {
      if (tags.some((tag) => tag === "Actor" || tag === "Honorific")) this.#mark(word, flag.role);
      if (tags.some((tag) => /^(?:Organization|SportsTeam)$/.test(tag)))
        this.#mark(word, flag.organization);
      if (tags.some((tag) => /^(?:Demonym|Month|WeekDay)$/.test(tag)))
        this.#mark(word, flag.calendar);
    }
    for (const word of particles) this.#mark(word, flag.particle);
    for (const word of titles) this.#of(word).wordClass = wordClass.title;
  }

  #raisePlace(name: string, to: number): void {
    const words = name.split(/[\s-]+/).filter((word) => word !== "");
    const [first = "", second = ""] = words;
    if (words.length === 1) return this.#raise(first, "place", to);
    const pair = hashOfPair(hashOfWord(first), hashOfWord(second));
    const facts = this.#pairs.get(pair) ?? none();
    this.#pairs.set(pair, facts);
    facts.place = Math.max(facts.place, to);
  }

  #raise(word: string, key: "given" | "surname" | "place" | "common", to: number): void {
    // Names of several words are looked up word by word.
    for (const part of word.split(/[\s'’-]+/)) {
      if (part.length < 2) continue;
      const facts = this.#of(part);
      facts[key] = Math.max(facts[key], to);
    }
  }

  #mark(word: string, bit: number): void {
    if (word !== "" && !word.includes(" ")) this.#of(word).flags |= bit;
  }

  #of(word: string): Facts {
    const hash = hashOfWord(word);
    let facts = this.#facts.get(hash);
    if (facts === undefined) this.#facts.set(hash, (facts = none()));
    return facts;
  }
}

function none(): Facts {
  return { given: 0, surname: 0, place: 0, common: 0, wordClass: 0, flags: 0 };
}

function packedFacts(facts: Facts): number {
  const levels = facts.given | (facts.surname << 2) | (facts.place << 4) | (facts.common << 6);
  return levels | (facts.wordClass << 8) | (facts.flags << 11);
}

function level(rank: number, frequent: number, known: number): number {
  if (rank < frequent) return 3;
  return rank < known ? 2 : 1;
}

function classOf(tags: readonly string[]): number | undefined {
  for (const tag of tags) {
    const found = classes[tag];
    if (found !== undefined) return found;
  }
  return undefined;
}

const classes: Readonly<Record<string, number>> = {
  Singular: wordClass.noun,
  Plural: wordClass.noun,
  Noun: wordClass.noun,
  Uncountable: wordClass.noun,
  Actor: wordClass.noun,
  Unit: wordClass.noun,
  Duration: wordClass.noun,
  Date: wordClass.noun,
  Infinitive: wordClass.verb,
  PresentTense: wordClass.verb,
  Verb: wordClass.verb,
  Gerund: wordClass.verb,
  Imperative: wordClass.verb,
  PastTense: wordClass.past,
  Participle: wordClass.past,
  Adjective: wordClass.modifier,
  Adverb: wordClass.modifier,
  Comparative: wordClass.modifier,
  Superlative: wordClass.modifier,
  Ordinal: wordClass.modifier,
  Cardinal: wordClass.modifier,
  Preposition: wordClass.preposition,
  Conjunction: wordClass.function,
  Determiner: wordClass.function,
  Pronoun: wordClass.function,
  Possessive: wordClass.function,
  Copula: wordClass.function,
  Modal: wordClass.function,
  QuestionWord: wordClass.function,
  Negative: wordClass.function,
  Reflexive: wordClass.function,
  Condition: wordClass.function,
  Expression: wordClass.modifier,
};

/** Lists of capitalized words that are no names: flagged as such. */
const otherNames = ["weekday", "month", "nationality", "acronym", "product"];

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const extraFunctionWords = words(`
  a an the this that these those my your his her its our their some any each every no all both
  i you he she it we they me him us them who what which whose where when why how
  is are was were be been being am has have had do does did will would shall should can could may
  might must not and or but nor so yet if because as while although though since unless until than
  there here then now very too also just only even again still already always never often
  yes please thanks thank hello hi hey dear ok okay sure let lets don doesn didn isn aren wasn won
  one two three four five six seven eight nine ten first second third last next other another same
  such own more most less least few many much several
`);
const particles = words(`
  van von de der den del della delle di da das do dos du des la le las los el al bin ibn ben bint
  ter ten te zu zum zur vom af av y e of for the and und et en am an im in auf ob sur upon sous
  sul dello degli dei
`);
const titles = words(`
  mr mrs ms miss dr prof professor doctor sir madam lady lord rev father sister captain lieutenant
  sergeant colonel general judge justice senator president minister king queen prince princess
  herr frau monsieur madame mademoiselle señor señora señorita don doña signor signora dott
  senhor senhora meneer mevrouw pan pani uncle aunt grandpa grandma nurse coach chancellor governor
`);
const streetWords = words(`
  street st road rd avenue ave av lane ln drive dr court ct boulevard blvd way place pl terrace
  crescent close square sq parkway pkwy trail grove mews highway hwy circle cir row alley plaza
  rue chemin quai cours allée allee impasse calle avenida avda plaza paseo carretera camino via
  viale corso piazza vicolo largo strada rua travessa praça estrada rodovia straße strasse str weg
  gasse platz ring ulica ul aleja al os ulice náměstí utca út tér cesta cad cadde sokak sok
  apt apartment suite ste unit flat floor building bldg room block postfach box po postboks apartado
`);
const organizationWords = words(`
  university college institute school academy hospital clinic ministry department agency bureau
  commission committee council bank company corporation association foundation society party
  universität université universidad università universiteit klinikum church museum library
  newspaper times post herald tribune gazette journal club fc united
`);
