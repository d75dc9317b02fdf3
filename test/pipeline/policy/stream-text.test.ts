import { expect, it } from "vitest";
import { StreamText } from "../../../src/pipeline/policy/stream-text.ts";

const holding = { widths: [], needsWhole: true, holdsWhole: true };

it("looks at each edit a few times, however many parts a text has", () => {
  const count = 500;
  let looks = 0;
  const edit = (start: number) => ({
    get start() {
      looks += 1;
      return start;
    },
    end: start + 5,
    replacement: "[X]",
  });
  const text = new StreamText("json", holding);
  text.add("0123456789".repeat(count));
  text.end();
  const step = text.nextStep();
  if (step === null) throw new Error("nothing to search");
  const edits = Array.from({ length: count }, (_, i) => edit(10 * i));
  text.take(step, { findings: [], from: [], edits });
  let edited = 0;
  for (let at = 0; at < text.length; at += 2) edited += text.editsOf(at, at + 2).length;
  // Each covers three parts.
  expect(edited).toBe(3 * count);
  expect(looks).toBeLessThan(20 * count);
});
