import { expect, it } from "vitest";
import { StreamText } from "../../../src/pipeline/policy/stream-text.ts";

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
  const text = new StreamText("json", { widths: [], needsWhole: true, buffersWhole: true });
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

it("keeps no edits where nothing is edited", () => {
  const text = new StreamText(
    "plain",
    { widths: [4], needsWhole: false, buffersWhole: false },
    false,
  );
  text.add("0123456789");
  const step = text.nextStep();
  if (step === null) throw new Error("nothing to search");
  const found = {
    kind: "custom_pattern",
    action: "redact",
    token: "[X]",
    start: 0,
    end: 4,
  } as const;
  text.take(step, { findings: [found], from: [6], edits: null });
  expect(text.decided).toBe(6);
  expect(text.editsOf(0, 6)).toEqual([]);
});

/** Nothing is buffered for rules that only flag, but they may have to see a text whole. */
const flagging = (...widths: number[]) => ({ widths, needsWhole: true, buffersWhole: false });

it("hands over each part a few times, and all of it at the end", () => {
  const [pieces, width] = [1_000, 10];
  const text = new StreamText("plain", flagging(width));
  let handedOver = 0;
  for (let i = 0; i < pieces; i++) {
    text.add("abcd");
    const step = text.nextStep();
    if (step === null) continue;
    handedOver += step.text.length;
    const from = [Math.max(step.from[0] ?? 0, step.text.length - width)];
    text.take(step, { findings: [], from, edits: null });
  }
  expect(text.decided).toBe(4 * pieces - width);
  expect(handedOver).toBeLessThan(4 * pieces * 5);
  text.end();
  expect(text.nextStep()).toMatchObject({
    text: "abcd".repeat(pieces),
    from: [4 * pieces - width],
    isWhole: true,
  });
});

it("keeps no text that is longer than may be buffered", () => {
  const text = new StreamText("plain", flagging());
  const piece = "x".repeat(10_000);
  for (let i = 0; i < 100; i++) text.add(piece);
  text.end();
  const step = text.nextStep();
  expect(step?.isWhole).toBe(false);
  expect(step?.text.length).toBeLessThan(10);
});
