import { expect, test } from "vitest";
import { readModel, writeModel } from "../../../src/detectors/names/model-file.ts";
import { linkWeightsCount, rowBytes } from "../../../src/detectors/names/tagger.ts";

const model = {
  version: 7,
  lexiconSlots: Uint16Array.from({ length: 16 }, (_, at) => at),
  weights: {
    rows: Int8Array.from({ length: rowBytes * 4 }, (_, at) => at - 9),
    scale: 0.5,
    offsets: Float32Array.of(0, 1, 2, 3, 4),
    links: Float32Array.from({ length: linkWeightsCount }, (_, at) => at / 4),
  },
};

test("a model is read as it was written, wherever its bytes lie", () => {
  const bytes = writeModel(model);
  expect(readModel(bytes)).toEqual(model);
  const moved = new Uint8Array(bytes.length + 1);
  moved.set(bytes, 1);
  expect(readModel(moved.subarray(1))).toEqual(model);
});

test.each([
  ["empty", (): Uint8Array => new Uint8Array()],
  ["of another kind", (): Uint8Array => writeModel(model).fill(0, 0, 4)],
  ["cut off", (): Uint8Array => writeModel(model).slice(0, -1)],
  ["too long", (): Uint8Array => Uint8Array.of(...writeModel(model), 0)],
])("a file that is %s is refused", (_, file) => {
  expect(() => readModel(file())).toThrow(RangeError);
});
