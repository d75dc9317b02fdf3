import { labelsCount } from "./labels.ts";
import { linkWeightsCount, rowBytes, type TaggerWeights } from "./tagger.ts";

// Layout, little-endian: magic, version, log2 of the lexicon's slots, log2 of the rows (4 bytes
// each), scale, label offsets, link scores (float32), the lexicon's slots (two uint16 each), rows.
const magic = 0x4d4e5257;
const headerBytes = 16 + 4 * (1 + labelsCount + linkWeightsCount);

export interface NamesModel {
  /** Changes with every training. */
  readonly version: number;
  readonly lexiconSlots: Uint16Array;
  readonly weights: TaggerWeights;
}

/** Views a model file in place. Throws a RangeError if it is not one. */
export function readModel(file: Uint8Array): NamesModel {
  const bytes = file.byteOffset % 4 === 0 ? file : Uint8Array.from(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < headerBytes || view.getUint32(0, true) !== magic) {
    throw new RangeError("not a names model");
  }
  const slots = 2 << view.getUint32(8, true);
  const rows = rowBytes << view.getUint32(12, true);
  if (bytes.byteLength !== headerBytes + slots * 2 + rows) {
    throw new RangeError("the names model is cut off");
  }
  const { buffer, byteOffset } = bytes;
  const floats = new Float32Array(buffer, byteOffset + 16, 1 + labelsCount + linkWeightsCount);
  const weights = {
    rows: new Int8Array(buffer, byteOffset + headerBytes + slots * 2, rows),
    scale: floats[0] ?? 1,
    offsets: floats.subarray(1, 1 + labelsCount),
    links: floats.subarray(1 + labelsCount),
  };
  const lexiconSlots = new Uint16Array(buffer, byteOffset + headerBytes, slots);
  return { version: view.getUint32(4, true), lexiconSlots, weights };
}

/** Writes a file for `readModel`. Only training uses it. */
export function writeModel(model: NamesModel): Uint8Array {
  const { lexiconSlots, weights } = model;
  const bytes = new Uint8Array(headerBytes + lexiconSlots.byteLength + weights.rows.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, model.version, true);
  view.setUint32(8, Math.log2(lexiconSlots.length / 2), true);
  view.setUint32(12, Math.log2(weights.rows.length / rowBytes), true);
  const floats = [weights.scale, ...weights.offsets, ...weights.links];
  floats.forEach((value, at) => view.setFloat32(16 + at * 4, value, true));
  bytes.set(
    new Uint8Array(lexiconSlots.buffer, lexiconSlots.byteOffset, lexiconSlots.byteLength),
    headerBytes,
  );
  bytes.set(
    new Uint8Array(weights.rows.buffer, weights.rows.byteOffset, weights.rows.byteLength),
    headerBytes + lexiconSlots.byteLength,
  );
  return bytes;
}
