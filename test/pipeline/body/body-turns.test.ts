import { expect, onTestFinished, test } from "vitest";
import { bodyBytesPerStep } from "../../../src/contract/limits.ts";
import { joined, scanned } from "../../../src/pipeline/body/body-turns.ts";
import { Inspection } from "../../../src/pipeline/body/inspect.ts";
import { edited } from "../../../src/pipeline/body/request-body.ts";
import { TurnShare } from "../../../src/runtime/turn-share.ts";
import { readItem } from "../../../src/endpoints/batch/submission.ts";
import { valueOf } from "../../store/temporary-store.ts";
import { LoopTurns } from "../../support/loop-turns.ts";

function turnsOfTest(): LoopTurns {
  const turns = new LoopTurns();
  onTestFinished(() => turns.stop());
  return turns;
}

/** A share of one step in a turn. */
const oneStep = () => new TurnShare(bodyBytesPerStep);
const steps = 6;
const long = "a".repeat(steps * bodyBytesPerStep);

test("a large body is copied and read in as many turns as it has steps", async () => {
  const turns = turnsOfTest();
  const text = Buffer.from(JSON.stringify({ model: "m", long }));
  const pieces = [text.subarray(0, 3), text.subarray(3, -7), text.subarray(-7)];
  const bytes = await joined(pieces, oneStep());
  expect(turns.now).toBeGreaterThanOrEqual(steps);
  expect(bytes.equals(text)).toBe(true);
  const before = turns.now;
  const topLevel = await scanned(bytes, oneStep());
  expect(turns.now - before).toBeGreaterThanOrEqual(steps - 1);
  expect(topLevel).toEqual(await scanned(bytes, new TurnShare(Infinity)));
  expect(topLevel).toMatchObject({ members: [{ name: "model" }, { name: "long" }] });
});

test("a small one in none", async () => {
  const turns = turnsOfTest();
  const bytes = await joined([Buffer.from('{"a"'), Buffer.from(":1}")]);
  expect(await scanned(bytes)).toMatchObject({ members: [{ name: "a" }] });
  expect(turns.now).toBe(0);
});

test("a fault is told wherever it stands", async () => {
  const text = Buffer.from(`["${long}"`);
  expect(await scanned(text)).toMatchObject({ reason: "unexpected end" });
  text[2 * bodyBytesPerStep] = 0x01;
  expect(await scanned(text)).toMatchObject({ offset: 2 * bodyBytesPerStep });
});

test("an edited body and a large item of a batch leave the loop to others", async () => {
  const turns = turnsOfTest();
  const text = Buffer.from(JSON.stringify({ model: "m", long }));
  const inspected = valueOf(new Inspection().finish(text));
  const body = { bytes: text, inspected, scanned: null, address: null };
  const edit = { start: 10, end: 11, replacement: Buffer.from("n") };
  expect(valueOf(await edited(body, [edit])).inspected?.model?.value).toBe("n");
  const after = turns.now;
  expect(after).toBeGreaterThan(1);
  const item = Buffer.from(JSON.stringify({ id: "1", input: long }));
  expect(valueOf(await readItem(item, item.length)).id).toBe("1");
  expect(turns.now).toBeGreaterThan(after);
});
