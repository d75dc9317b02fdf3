import fc from "fast-check";
import RE2 from "re2";

const atoms = [
  ...["a", "b", "1", " ", "é", "😀", "\\n", ".", "[ab]", "[^a]", "\\d", "\\w", "\\W", "\\s"],
  ...["\\b", "\\B", "^", "$", "(?m)^", "(?m)$", "(?s).", "(?i)A", "\\x{1F600}", "\\pL"],
];
const repeats = ["", "", "", "?", "??", "{2}", "{0,3}", "{1,2}?"];
const unboundedRepeats = [...repeats, "*", "+", "*?", "{2,}"];

function patternOf(quantifiers: readonly string[]): fc.Arbitrary<string> {
  const { tree } = fc.letrec<{ tree: string; group: string }>((tie) => ({
    group: tie("tree").map((inside) => `(?:${inside})`),
    tree: fc
      .array(
        fc.tuple(
          fc.oneof({ maxDepth: 3, depthSize: "small" }, fc.constantFrom(...atoms), tie("group")),
          fc.constantFrom(...quantifiers),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .chain((parts) => {
        const sequence = parts.map((part) => part.join("")).join("");
        return fc.constantFrom(sequence, `${sequence}|b1`);
      }),
  }));
  return tree.filter(isValid);
}

function isValid(regex: string): boolean {
  try {
    new RE2(regex, "gu");
    return regex.length <= 512;
  } catch {
    return false;
  }
}

/** Patterns over the letters of `anyText`, their longest match bounded. */
export const boundedPattern = patternOf(repeats);
export const anyPattern = patternOf(unboundedRepeats);
export const anyText = fc
  .array(fc.constantFrom("a", "b", "A", "1", "2", " ", "\n", "é", "😀", "_"), { maxLength: 60 })
  .map((letters) => letters.join(""));
