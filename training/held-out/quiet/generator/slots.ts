// Values for the slots of one text: its persons, companies, dates, sums and words, all invented.
import { atRandom, choose, fillSlots, pick, type Fill, type Random } from "./template.ts";

type Lists = ReadonlyMap<string, readonly string[]>;

interface Person {
  readonly first: string;
  readonly last: string;
  /** The part of the mail address before the @, in Latin letters. */
  readonly mailbox: string;
}

interface Company {
  readonly name: string;
  /** The name without the trade. */
  readonly stem: string;
  readonly domain: string;
}

const dayMs = 86_400_000;
const eastAsian = new Set(["ja", "zh"]);
const digits = Array.from("0123456789");
const hexDigits = Array.from("0123456789abcdef");
const capitals = Array.from("ABCDEFGHJKLMNPRSTUVWXYZ");
/** A text speaks of one of these; `{{w.pkg.other}}` is another one than `{{w.pkg}}`. */
const oncePerText = new Set(
  "app brandname class cli event file flag host module pkg plan service software".split(" "),
);

/** Fills the slots of one text. The same slot of a person, a company, a date or a time has the same value. */
export function slotFiller(lang: string, lists: Lists, fragments: Lists, random: Random): Fill {
  const persons = new Map<string, Person>();
  const companies = new Map<string, Company>();
  const usedWords = new Set<string>();
  const mainWords = new Map<string, string>();
  const dates = someDates(random);
  const times = someTimes(random);
  const dateStyle = Math.floor(random() * 3);

  function list(name: string): readonly string[] {
    const items = lists.get(`${name}.${lang}`) ?? lists.get(`${name}.en`) ?? lists.get(name);
    if (items === undefined) throw new Error(`no list ${name}`);
    return items;
  }

  /** A word that the text does not have yet, if there is one. */
  function word(name: string): string {
    const items = list(name);
    const unused = items.filter((item) => !usedWords.has(`${name}/${item}`));
    const item = pick(unused.length > 0 ? unused : items, random);
    usedWords.add(`${name}/${item}`);
    return item;
  }

  function mainWord(name: string): string {
    const known = mainWords.get(name);
    if (known !== undefined) return known;
    const made = word(name);
    mainWords.set(name, made);
    return made;
  }

  function person(key: string): Person {
    const known = persons.get(key);
    if (known !== undefined) return known;
    const [first, firstLatin] = spelling(word("first"));
    const [last, lastLatin] = spelling(word("last"));
    const mailbox = pick(
      [`${firstLatin}.${lastLatin}`, `${firstLatin.charAt(0)}.${lastLatin}`, firstLatin],
      random,
    );
    const made = { first, last, mailbox };
    persons.set(key, made);
    return made;
  }

  function company(key: string): Company {
    const known = companies.get(key);
    if (known !== undefined) return known;
    const made = lists.has(`company.${lang}`)
      ? eastAsianCompany(word("company"))
      : europeanCompany(word("stem"), word("trade"), random);
    companies.set(key, made);
    return made;
  }

  function personPart(key: string, part: string): string {
    const { first, last, mailbox } = person(key);
    if (part === "f") return eastAsian.has(lang) ? last + first : first;
    if (part === "l") return last;
    if (part === "m") return `${mailbox}@${company("c1").domain}`;
    if (part === "m2") return `${mailbox}@${company("c2").domain}`;
    if (part === "h") return mailbox.replaceAll(".", "");
    return eastAsian.has(lang) ? last + first : `${first} ${last}`;
  }

  const plain: Readonly<Record<string, (argument: string) => string>> = {
    int: (argument) => String(between(argument, random)),
    dec: (argument) => (between(argument, random) + Math.floor(random() * 20) / 20).toFixed(2),
    amt: (argument) => amount(between(argument, random), lang, random),
    id: (argument) => code(argument, random),
    hex: (argument) => code("x".repeat(Number(argument)), random),
    city: () => word("city"),
    street: () => word("street"),
  };

  const fill: Fill = (kind, argument) => {
    const [head = "", part = "", other] = kind.split(".");
    const make = plain[head];
    if (make !== undefined) return make(argument ?? "");
    if (head === "w") {
      return oncePerText.has(part) && other === undefined ? mainWord(part) : word(part);
    }
    if (head === "f") {
      const fragment = choose(
        pick(fragments.get(`${part}.${lang}`) ?? [], random),
        atRandom(random),
      );
      return fillSlots(fragment, new Map(), fill);
    }
    if (/^p\d$/.test(head)) return personPart(head, part);
    if (/^c\d$/.test(head)) return companyPart(company(head), part);
    const index = Number(head.slice(1)) - 1;
    const date = head.startsWith("d") ? dates[index] : undefined;
    if (date !== undefined) return dateText(date, part, lang, dateStyle);
    const time = head.startsWith("t") ? times[index] : undefined;
    if (time !== undefined) return time;
    throw new Error(`no slot ${kind}`);
  };
  return fill;
}

/** `name=latin` of a word list, or a name whose Latin form is made by dropping the accents. */
function spelling(item: string): [string, string] {
  const [name = item, latin] = item.split("=");
  return [name, latin ?? latinLetters(name)];
}

function latinLetters(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ı", "i")
    .replaceAll("ł", "l")
    .toLowerCase()
    .replace(/[^a-z]/g, "");
}

function europeanCompany(stem: string, trade: string, random: Random): Company {
  const slug = stem.toLowerCase();
  const domain = random() < 0.6 ? slug : `${slug}-${trade.toLowerCase()}`;
  return { name: random() < 0.75 ? `${stem} ${trade}` : stem, stem, domain: `${domain}.example` };
}

function eastAsianCompany(item: string): Company {
  const [name = item, slug = item] = item.split("=");
  return { name, stem: name, domain: `${slug}.example` };
}

function companyPart({ name, stem, domain }: Company, part: string): string {
  return part === "d" ? domain : part === "s" ? stem : name;
}

/** A whole number of `low-high`, both inclusive; `low` may be negative. */
function between(range: string, random: Random): number {
  const [, low, high] = /^(-?\d+)-(-?\d+)$/.exec(range) ?? [];
  if (low === undefined || high === undefined) throw new Error(`not a range: ${range}`);
  return Number(low) + Math.floor(random() * (Number(high) - Number(low) + 1));
}

/** `#` becomes a digit, `?` a capital letter, `x` of a pattern of x only a hex digit. */
function code(pattern: string, random: Random): string {
  if (/^x+$/.test(pattern)) {
    return pattern.replace(/x/g, () => pick(hexDigits, random));
  }
  return pattern
    .replace(/#/g, () => pick(digits, random))
    .replace(/\?/g, () => pick(capitals, random));
}

function amount(units: number, lang: string, random: Random): string {
  const cents = pick(["00", "00", "50", "90", "20", "75", "40", "15"], random);
  const decimalPoint = lang === "en" || eastAsian.has(lang);
  const thousands = decimalPoint ? "," : lang === "fr" || lang === "pl" ? " " : ".";
  const grouped = String(units).replace(/\B(?=(\d{3})+$)/g, thousands);
  return eastAsian.has(lang) ? grouped : `${grouped}${decimalPoint ? "." : ","}${cents}`;
}

function someDates(random: Random): Date[] {
  const first = Date.UTC(2024, 0, 8) + Math.floor(random() * 900) * dayMs;
  const second = first + (3 + Math.floor(random() * 18)) * dayMs;
  const third = second + (10 + Math.floor(random() * 60)) * dayMs;
  return [first, second, third].map((ms) => new Date(ms));
}

function someTimes(random: Random): string[] {
  return [8, 12, 16].map((hour) => {
    const minutes = Math.floor(random() * 4 * 12) * 5;
    return `${String(hour + Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  });
}

function dateText(date: Date, part: string, lang: string, style: number): string {
  const iso = date.toISOString().slice(0, 10);
  const [year = "", month = "", day = ""] = iso.split("-");
  if (part === "iso") return iso;
  if (part === "c") return iso.replaceAll("-", "");
  if (part === "n")
    return lang === "en" && style === 0 ? `${day}/${month}/${year}` : `${day}.${month}.${year}`;
  const named = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { timeZone: "UTC", ...options }).format(
      date,
    );
  if (part === "w") return named({ weekday: "long" });
  if (style === 1) return named({ day: "numeric", month: "long", year: "numeric" });
  return named({ day: "numeric", month: lang === "en" && style === 2 ? "short" : "long" });
}
