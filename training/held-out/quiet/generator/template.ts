// The notation of skeletons: `[[a||b||c]]` is a choice, `{{kind:argument}}` a slot, `{{name=kind}}` a slot that
// `{{name}}` repeats. Choices do not nest.

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

export interface Skeleton {
  readonly lang: string;
  readonly tools: readonly string[];
  readonly user: string;
  readonly text: string;
}

export function parseSkeletons(source: string): Skeleton[] {
  return source
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const match = /^(\w+) (\S+)\nuser: (.*)\n---\n([\s\S]*)$/.exec(block);
      const [, lang, tools, user, text] = match ?? [];
      if (lang === undefined || tools === undefined || user === undefined || text === undefined) {
        throw new Error(`not a skeleton: ${block.slice(0, 80)}`);
      }
      return { lang, tools: tools.split(","), user, text: text.trimEnd() };
    });
}

/** `## name` sections of a word list or of fragments. */
export function parseSections(source: string, separator: RegExp): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  for (const block of source.split(/^## /m).slice(1)) {
    const end = block.indexOf("\n");
    const items = block
      .slice(end + 1)
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== "");
    sections.set(block.slice(0, end).trim(), items);
  }
  return sections;
}

export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Gives the place of the alternative to take, of `count`. */
export type Chooser = (count: number) => number;

/** Replaces every choice by one of its alternatives. */
export function choose(source: string, chooser: Chooser): string {
  let result = "";
  let position = 0;
  for (;;) {
    const start = source.indexOf("[[", position);
    if (start < 0) return result + source.slice(position);
    let end = source.indexOf("]]", start + 2);
    if (end < 0) throw new Error(`choice without end: ${source.slice(start, start + 60)}`);
    // An alternative that ends with a bracket: the last two brackets close the choice.
    while (source[end + 2] === "]") end += 1;
    const alternatives = source.slice(start + 2, end).split("||");
    result += source.slice(position, start) + (alternatives[chooser(alternatives.length)] ?? "");
    position = end + 2;
  }
}

export function atRandom(random: Random): Chooser {
  return (count) => Math.floor(random() * count);
}

/**
 * The alternatives of a skeleton belong together by their place: the first ones are about one thing, the second ones
 * about another. So a text takes those of one place, `theme`, but for the share `deviation` of its choices.
 */
export function byTheme(theme: number, deviation: number, random: Random): Chooser {
  const anyOne = atRandom(random);
  return (count) => {
    const isFree = count < 3 || random() < deviation;
    return isFree ? anyOne(count) : theme;
  };
}

const slot = /\{\{(?:(\w+)=)?(\w[\w.]*)(?::([^{}]*))?\}\}/g;

/** Replaces every slot; `fill` gives the value of one. */
export function fillSlots(source: string, bound: Map<string, string>, fill: Fill): string {
  return source.replace(
    slot,
    (_whole, name: string | undefined, kind: string, argument: string | undefined) => {
      const known = name === undefined && argument === undefined ? bound.get(kind) : undefined;
      const value = known ?? fill(kind, argument);
      if (name !== undefined) bound.set(name, value);
      return value;
    },
  );
}

export type Fill = (kind: string, argument: string | undefined) => string;
