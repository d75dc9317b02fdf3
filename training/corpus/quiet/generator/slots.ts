// Values for the slots of one text: its people, its company, hosts, versions and times, all invented.
import { fillSlots, type Fill } from "../../../held-out/quiet/generator/template.ts";
import type { Random } from "../../../names/random.ts";

type Words = ReadonlyMap<string, readonly string[]>;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Fills a text's slots. A slot has one value a text, apart from numbers, codes and times. */
export class Slots {
  readonly #words: Words;
  readonly #lang: string;
  readonly #random: Random;
  readonly #bound = new Map<string, string>();
  readonly #people = new Map<string, readonly [first: string, last: string]>();
  readonly #taken = new Set<string>();
  readonly #chatStyle: number;
  readonly #commentStyle: number;
  readonly #stampStyle: number;
  #clockMs: number;

  constructor(words: Words, lang: string, random: Random) {
    this.#words = words;
    this.#lang = lang;
    this.#random = random;
    this.#chatStyle = random.below(4);
    this.#commentStyle = random.below(4);
    this.#stampStyle = random.below(4);
    this.#clockMs =
      Date.UTC(2023, 0, 2) + random.below(1_100) * dayMs + random.below(1_200) * minuteMs;
  }

  fill(text: string): string {
    return fillSlots(text, this.#bound, this.#valueOf);
  }

  readonly #valueOf: Fill = (kind, argument = "") => {
    const fresh = this.#freshValue(kind, argument);
    if (fresh !== undefined) return fresh;
    const known = this.#bound.get(kind);
    if (known !== undefined) return known;
    const made = this.#lastingValue(kind);
    this.#bound.set(kind, made);
    return made;
  };

  /** Values that differ at each place. */
  #freshValue(kind: string, argument: string): string | undefined {
    const random = this.#random;
    if (kind === "n") return String(between(argument, random));
    if (kind === "hex") return code("x".repeat(Number(argument)), random);
    if (kind === "id") return code(argument, random);
    if (kind === "ts") return this.#stamp();
    if (kind === "hm") return this.#tick().slice(11, 16);
    if (kind === "day") return this.#day(Number(argument));
    if (/^m\d$/.test(kind)) return this.#chatPrefix(kind.slice(1));
    if (/^c\d$/.test(kind)) return this.#commentHead(kind.slice(1));
    return undefined;
  }

  #lastingValue(kind: string): string {
    const [head = "", part] = kind.split(".");
    if (/^p\d$/.test(head)) return this.#person(head, part);
    if (head === "dom" || head === "ext") return this.#domain(head);
    if (head === "ext2") return latinLetters(this.#stem());
    if (head === "org") return this.#organization();
    if (head === "ver")
      return `${this.#random.below(6)}.${this.#random.below(20)}.${this.#random.below(10)}`;
    if (head === "ip")
      return code(this.#random.pick(["192.0.2.#", "198.51.100.##", "203.0.113.1##"]), this.#random);
    return /^stem\d$/.test(head) ? this.#stem() : this.#word(head);
  }

  /** A word of a list that this text does not have yet; `svc2` is of the list `svc`. */
  #word(name: string): string {
    const list = name.replace(/\d$/, "");
    const items = this.#words.get(`${list}.${this.#lang}`) ?? this.#words.get(list);
    if (items === undefined) throw new Error(`no list ${list}`);
    const unused = items.filter((item) => !this.#taken.has(item));
    const item = this.#random.pick(unused.length > 0 ? unused : items);
    this.#taken.add(item);
    return item;
  }

  /** Put together of two parts, so that hardly a name is in two texts. */
  #stem(): string {
    return this.#word("stemstart") + this.#word("stemend");
  }

  #person(key: string, part: string | undefined): string {
    const isEastern = this.#lang === "ja" || this.#lang === "zh";
    const made = this.#people.get(key) ?? [this.#word("first"), this.#word("last")];
    this.#people.set(key, made);
    const [first, last] = made;
    const [firstLatin, lastLatin] = isEastern
      ? [this.#latin(first), this.#latin(last)]
      : [latinLetters(first), latinLetters(last)];
    if (part === "f") return isEastern ? last : first;
    if (part === "l") return lastLatin;
    if (part === "h")
      return this.#random.pick([
        firstLatin,
        `${firstLatin}${lastLatin.charAt(0)}`,
        `${firstLatin}-${lastLatin}`,
        `${firstLatin.charAt(0)}${lastLatin}`,
      ]);
    if (part === "m") return `${firstLatin}.${lastLatin}@${this.#valueOf("dom", undefined)}`;
    return isEastern ? last + first : `${first} ${last}`;
  }

  /** Names in other scripts get a handle of Latin letters. */
  #latin(name: string): string {
    const items = this.#words.get("latin") ?? [];
    let sum = 0;
    for (const character of name) sum += character.codePointAt(0) ?? 0;
    return items[sum % items.length] ?? "user";
  }

  #organization(): string {
    const stem = this.#bound.get("stem") ?? this.#stem();
    this.#bound.set("stem", stem);
    return stem;
  }

  /** The organization's own domain, or one that has nothing to do with it. */
  #domain(kind: string): string {
    const stem = latinLetters(kind === "dom" ? this.#organization() : this.#stem());
    return `${stem}${this.#random.pick([".example", ".example", ".example.com", ".example.org", ".example.net"])}`;
  }

  #tick(): string {
    this.#clockMs += this.#random.below(4) * minuteMs + this.#random.below(60_000);
    return new Date(this.#clockMs).toISOString();
  }

  #stamp(): string {
    const iso = this.#tick();
    return (
      [
        iso,
        iso.slice(0, 19).replace("T", " "),
        `${iso.slice(0, 10)} ${iso.slice(11, 23).replace(".", ",")}`,
        `[${iso.slice(11, 19)}]`,
      ][this.#stampStyle] ?? iso
    );
  }

  /** A day that many days after the text's first one. */
  #day(days: number): string {
    return new Date(this.#clockMs + days * dayMs).toISOString().slice(0, 10);
  }

  #chatPrefix(index: string): string {
    const time = this.#tick().slice(11, 16);
    const name = this.#valueOf(`p${index}`, undefined);
    const handle = this.#valueOf(`p${index}.h`, undefined);
    return (
      [`[${time}] ${handle}:`, `${name}  ${time}\n`, `<${handle}>`, `${time} @${handle}:`][
        this.#chatStyle
      ] ?? ""
    );
  }

  #commentHead(index: string): string {
    const day = this.#tick().slice(0, 10);
    const handle = this.#valueOf(`p${index}.h`, undefined);
    return (
      [
        `@${handle} commented on ${day}:\n`,
        `### ${handle} · ${day}\n\n`,
        `----- ${handle} (${day}) -----\n`,
        `**${handle}** wrote:\n\n`,
      ][this.#commentStyle] ?? ""
    );
  }
}

function latinLetters(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replace(/[^a-z-]/g, "");
}

/** A whole number of `low-high`, both inclusive. */
function between(range: string, random: Random): number {
  const [low, high] = range.split("-").map(Number);
  if (low === undefined || high === undefined) throw new Error(`not a range: ${range}`);
  return random.between(low, high);
}

/** `#` becomes a digit, `?` a capital letter, `x` of a pattern of x only a hex digit. */
function code(pattern: string, random: Random): string {
  if (/^x+$/.test(pattern)) return pattern.replace(/x/g, () => random.below(16).toString(16));
  return pattern
    .replace(/#/g, () => String(1 + random.below(9)))
    .replace(/\?/g, () => String.fromCharCode(65 + random.below(26)));
}
