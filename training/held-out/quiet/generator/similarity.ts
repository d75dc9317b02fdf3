/** Word triples of a text; a Chinese, Japanese or Korean character counts as a word. */
export function wordTriples(text: string): Set<string> {
  const words =
    text
      .toLowerCase()
      .match(
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}\p{N}]+/gu,
      ) ?? [];
  const triples = new Set<string>();
  for (let at = 0; at + 3 <= words.length; at += 1) triples.add(words.slice(at, at + 3).join(" "));
  return triples;
}

/** The share of triples that both have, from 0 to 1. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const triple of one) if (other.has(triple)) common += 1;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}
