import { readdirSync, readFileSync } from "node:fs";
import type { Random } from "../../names/random.ts";

export const kinds = ["rules", "page", "state"] as const;
export type Kind = (typeof kinds)[number];

/** A document written by hand, with slots; from its file `sources/<kind>-*.txt`. */
export interface Skeleton {
  readonly kind: Kind;
  readonly file: string;
  readonly form: string;
  readonly lang: string;
  /** The shares of list items and of paragraphs that a text keeps. */
  readonly keep: number;
  readonly keepParagraphs: number;
  /** How many texts are tried for one of another skeleton. */
  readonly times: number;
  readonly body: string;
}

export interface Sources {
  readonly skeletons: readonly Skeleton[];
  /** Lines that fill slots, by the name of the slot. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Slots inside slots. */
const depthMax = 8;
/** Starts of lines that may be left out; `#. ` becomes a number, `~ ` disappears. */
const droppable = /^(\s*)(?:[-*•] |#\. |~ )/;
/** A line that comes several times. */
const copied = /~\{(\d+)-(\d+)\*/;
/** What hangs on the line above, and goes with it. */
const continuation = /^(?: {2}|\t)/;

/**
 * Reads a folder of sources. A line `%% form=… lang=…` starts a skeleton, in `lists*.txt` a line
 * `%% name` a list. README.md says what slots look like.
 */
export function readSources(folder: URL): Sources {
  const lists = new Map<string, readonly string[]>();
  const skeletons: Skeleton[] = [];
  for (const file of readdirSync(folder).sort()) {
    for (const part of readFileSync(new URL(file, folder), "utf8").split(/^%% /m).slice(1)) {
      const end = part.indexOf("\n");
      const head = part.slice(0, end).trim();
      const body = part.slice(end + 1).replace(/^\n+|\s+$/g, "");
      if (file.startsWith("lists")) {
        lists.set(
          head,
          body.split("\n").filter((line) => line !== ""),
        );
      } else {
        skeletons.push(skeletonOf(file, head, body));
      }
    }
  }
  return { skeletons, lists };
}

function skeletonOf(file: string, head: string, body: string): Skeleton {
  const kind = kinds.find((name) => file.startsWith(name));
  if (kind === undefined) throw new Error(`${file} is of no kind`);
  const options = new Map(head.split(" ").map((part) => part.split("=") as [string, string]));
  const share = (name: string, usual: number): number => Number(options.get(name) ?? usual) / 100;
  return {
    kind,
    file,
    form: options.get("form") ?? "web",
    lang: options.get("lang") ?? "en",
    keep: share("keep", 76),
    keepParagraphs: share("para", kind === "page" ? 86 : 100),
    times: Number(options.get("times") ?? 1),
    body,
  };
}

/** One text of a skeleton. */
export class Composition {
  readonly #sources: Sources;
  readonly #random: Random;
  readonly #named = new Map<string, string>();
  readonly #decks = new Map<string, unknown[]>();
  #clockSeconds: number;

  constructor(sources: Sources, random: Random) {
    this.#sources = sources;
    this.#random = random;
    this.#clockSeconds = random.below(80_000);
  }

  text({ body, keep, keepParagraphs }: Skeleton): string {
    const paragraphs = body
      .split(/\n{2,}/)
      .filter((part, at) => {
        const stays = at === 0 || part.startsWith("#") || droppable.test(part);
        return stays || this.#random.chance(keepParagraphs);
      })
      .map((part) => this.#paragraph(part, keep))
      .filter((part) => part.trim() !== "");
    const kept = paragraphs.filter(
      (part, at) => at === 0 || !isHeading(part) || hasBody(part, paragraphs[at + 1]),
    );
    return kept
      .join("\n\n")
      .replaceAll("~;", "\n")
      .replace(/[ \t]+$/gm, "")
      .trim();
  }

  #paragraph(paragraph: string, keep: number): string {
    const lines: string[] = [];
    let number = 0;
    let isDropped = false;
    for (const line of paragraph.split("\n")) {
      const match = droppable.exec(line);
      if (match !== null) isDropped = !copied.test(line) && !this.#random.chance(keep);
      else if (!continuation.test(line)) isDropped = false;
      if (isDropped) continue;
      for (const copy of this.#copiesOf(line)) {
        const plain = copy.replace(/^(\s*)#\. /, (_, indent: string) => `${indent}${++number}. `);
        const text = this.#filled(plain.replace(/^(\s*)~ /, "$1"), 0);
        if (text !== "" || line === "") lines.push(text);
      }
    }
    return lines.join("\n");
  }

  /** A line with `~{3-5*name}` comes as often, each time with another line of that list. */
  #copiesOf(line: string): string[] {
    const match = copied.exec(line);
    if (match === null) return [line];
    const one = line.replace(match[0], "~{");
    return Array.from(
      { length: this.#random.between(Number(match[1]), Number(match[2])) },
      () => one,
    );
  }

  #filled(text: string, depth: number): string {
    if (depth > depthMax) throw new Error(`slots without end: ${text}`);
    let out = "";
    let at = 0;
    for (;;) {
      const start = text.indexOf("~{", at);
      if (start === -1) return out + text.slice(at);
      const end = endOf(text, start);
      out += text.slice(at, start) + this.#slot(text.slice(start + 2, end), depth);
      at = end + 1;
    }
  }

  #slot(slot: string, depth: number): string {
    const named = /^([a-z]\d?):(?=\S)/.exec(slot);
    if (named === null) {
      return this.#named.get(slot) ?? this.#filled(this.#value(slot), depth + 1);
    }
    const key = named[1] ?? "";
    const value =
      this.#named.get(key) ?? this.#filled(this.#value(slot.slice(named[0].length)), depth + 1);
    this.#named.set(key, value);
    return value;
  }

  #value(slot: string): string {
    const random = this.#random;
    const optional = /^\?(\d+) ([\s\S]*)$/.exec(slot);
    if (optional !== null) {
      return random.chance(Number(optional[1]) / 100) ? (optional[2] ?? "") : "";
    }
    const parts = alternativesOf(slot);
    if (parts.length > 1) return random.pick(parts);
    const range = /^([nfp]) (\d+)-(\d+)$/.exec(slot);
    if (range !== null) {
      const value = random.between(Number(range[2]), Number(range[3]));
      if (range[1] === "p") return String(value).padStart(2, "0");
      return range[1] === "n" ? String(value) : `${value}.${random.between(10, 99)}`;
    }
    const hex = /^hex (\d+)$/.exec(slot);
    if (hex !== null) {
      return Array.from({ length: Number(hex[1]) }, () => random.below(16).toString(16)).join("");
    }
    if (slot.includes("~{")) return slot;
    if (slot === "clock") return this.#clock();
    return slot.startsWith("@") ? this.#included(slot.slice(1)) : this.#fromList(slot);
  }

  /** A time of day, later each time. */
  #clock(): string {
    this.#clockSeconds = (this.#clockSeconds + this.#random.below(40)) % 86_400;
    return new Date(this.#clockSeconds * 1_000).toISOString().slice(11, 19);
  }

  /** A whole document of the files whose name begins so; none that includes others itself. */
  #included(prefix: string): string {
    const fitting = this.#sources.skeletons.filter(
      ({ file, lang, body }) => file.startsWith(prefix) && lang === "en" && !body.includes("~{@"),
    );
    return this.text(this.#drawn(`@${prefix}`, fitting));
  }

  #fromList(name: string): string {
    const list = this.#sources.lists.get(name);
    if (list === undefined) throw new Error(`no list named "${name}"`);
    return this.#drawn(name, list);
  }

  /** Every one of a list once, before the first comes again. */
  #drawn<T>(name: string, list: readonly T[]): T {
    let deck = this.#decks.get(name) as T[] | undefined;
    if (deck === undefined || deck.length === 0) {
      deck = this.#random.shuffle([...list]);
      this.#decks.set(name, deck);
    }
    const drawn = deck.pop();
    if (drawn === undefined) throw new Error(`nothing to draw for "${name}"`);
    return drawn;
  }
}

/** Where the slot that starts at `start` ends. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  throw new Error(`a slot without end: ${text.slice(start)}`);
}

function alternativesOf(slot: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < slot.length; at++) {
    if (slot[at] === "{") depth++;
    else if (slot[at] === "}") depth--;
    else if (slot[at] === "|" && depth === 0) {
      parts.push(slot.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, slot.slice(start)];
}

function isHeading(part: string): boolean {
  return /^#{1,6} [^\n]*$/.test(part);
}

/** Whether a heading is followed by text or by a smaller heading. */
function hasBody(heading: string, next: string | undefined): boolean {
  if (next === undefined) return false;
  const size = (part: string): number => part.length - part.replace(/^#+/, "").length;
  return !isHeading(next) || size(next) > size(heading);
}
