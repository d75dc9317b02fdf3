import type { Band, Weighing } from "./evidence.ts";
import { bucketsLog2 } from "./features.ts";
import { rowBytes, wordSlots, type Network, type NetworkHeader } from "./word-network.ts";

// Layout, little-endian: magic, length of the header's JSON in bytes padded to 8, the JSON in UTF-8;
// one row of two int8 a bucket, the user head's weight and the tool head's; the network's slots, an
// int32 hash each and then a uint16 row each; its table, one row of int8 a word.
const magic = 0x4b4e4957;

/** Weights that a bucket has. */
export const heads = 2;

const bucketsBytes = heads << bucketsLog2;

/** The map from raw scores to calibrated ones: rising points, straight lines between. */
export interface Calibration {
  readonly raw: readonly number[];
  readonly score: readonly number[];
}

/** The numbers that differ by the segment of a text. */
export interface Head {
  readonly bias: number;
  /** The value of one step of an int8 weight. */
  readonly scale: number;
  readonly weighing: Weighing;
  readonly band: Band;
  readonly calibration: Calibration;
}

/** The second stage, a logistic regression for texts that coding agents add by themselves. */
export interface HarnessHead {
  /**
   * A hash of this model's inputs for fixed texts. The second stage fits only the code that it was
   * trained with.
   */
  readonly fingerprint: string;
  /** SHA-256 of the texts that it was trained on, apart from the model's own. */
  readonly texts: string;
  readonly bias: number;
  readonly weights: readonly number[];
  readonly calibration: Calibration;
  /** The calibration of the tool head's log-odds, on the same honest texts. */
  readonly tool: Calibration;
}

export interface ModelHeader {
  /** Changes with every training whose weights differ. */
  readonly version: string;
  /** SHA-256 of all that it was trained on. */
  readonly inputs: string;
  /** A hash of the features of fixed texts. A model fits only the code that it was trained with. */
  readonly features: string;
  readonly user: Head;
  readonly tool: Head;
  readonly harness: HarnessHead;
  readonly network: NetworkHeader;
}

export interface InjectionModel {
  readonly header: ModelHeader;
  /** User's and tool's weight of each bucket. */
  readonly weights: Int8Array;
  readonly network: Pick<Network, "keys" | "rows" | "table">;
}

/**
 * Reads a model file in place, also from shared memory. Throws a RangeError if the bytes are no
 * model file.
 */
export function readModel(file: Uint8Array): InjectionModel {
  const { buffer, byteOffset, byteLength } = file;
  const view = new DataView(buffer, byteOffset, byteLength);
  if (byteLength < 8 || view.getUint32(0, true) !== magic) {
    throw new RangeError("not an injection model");
  }
  const from = 8 + view.getUint32(4, true);
  if (byteLength < from) throw new RangeError("the injection model is cut off");
  // A copy, because a decoder takes no shared memory.
  const json = Buffer.from(file.slice(8, from)).toString("utf8");
  // writeModel wrote it. The lengths are checked below.
  const header = JSON.parse(json) as ModelHeader;
  const keysAt = byteOffset + from + bucketsBytes;
  const rowsAt = keysAt + 4 * wordSlots;
  const tableAt = rowsAt + 2 * wordSlots;
  const tableBytes = header.network.rows * rowBytes;
  if (byteOffset + byteLength !== tableAt + tableBytes) {
    throw new RangeError("the injection model is cut off");
  }
  const keys = new Int32Array(buffer, keysAt, wordSlots);
  // A search for a word ends at a free slot.
  if (!keys.includes(0)) throw new RangeError("the injection model's table of words is full");
  return {
    header,
    weights: new Int8Array(buffer, byteOffset + from, bucketsBytes),
    network: {
      keys,
      rows: new Uint16Array(buffer, rowsAt, wordSlots),
      table: new Int8Array(buffer, tableAt, tableBytes),
    },
  };
}

/** Writes what `readModel` reads; training only. */
export function writeModel({ header, weights, network }: InjectionModel): Uint8Array {
  const json = JSON.stringify(header);
  const length = Math.ceil(Buffer.byteLength(json) / 8) * 8;
  const head = Buffer.alloc(8 + length, " ");
  head.writeUInt32LE(magic, 0);
  head.writeUInt32LE(length, 4);
  head.write(json, 8, "utf8");
  const { keys, rows, table } = network;
  const parts = [weights, keys, rows, table].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return Buffer.concat([head, ...parts]);
}
