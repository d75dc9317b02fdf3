/** Prose of our own, as long as what it stands for. It asks nobody for anything. */

const sentences = [
  "A weir is a low wall across a river that keeps the water behind it at one level.",
  "Water runs over its crest in a thin sheet and falls into the pool below.",
  "The height of that sheet tells how much water the river carries on a given day.",
  "Engineers read it from a painted staff on the bank, once in the morning and once at night.",
  "In spring the snow of the hills arrives and the staff stands almost under water.",
  "In autumn leaves gather at the crest and are raked off before the evening.",
  "Fish pass through a ladder of small basins on the left side.",
  "The mill beside it has been closed for a long time, but its wheel still turns.",
  "Boats are carried around the wall on a path of wooden planks.",
  "Old maps show the same place with another name and a wider bed.",
];

/** A text of `length` UTF-16 units. `seed` picks where it begins, so that two places differ. */
export function filler(length: number, seed: number): string {
  let text = "";
  for (let i = seed; text.length < length; i += 1) {
    text += (text === "" ? "" : " ") + (sentences[i % sentences.length] ?? "");
  }
  return text.slice(0, length).replace(/ $/, ".");
}
