import type { Weighing } from "./evidence.ts";
import { bucketsLog2 } from "./features.ts";

// Layout, little-endian: magic, length of the header's JSON in bytes padded to 8, the JSON in UTF-8;
// one row of two int8 a bucket, the user head's weight and the tool head's.
const magic = 0x4a4e4957;

/** Weights that a bucket has. */
export const heads = 2;

const bucketsBytes = heads << bucketsLog2;

/** The map from raw scores to calibrated ones: rising points, straight lines between. */
export interface Calibration {
  readonly raw: readonly number[];
  readonly score: readonly number[];
}

/** What differs by the segment that a text belongs to. */
export interface Head {
  readonly bias: number;
  /** What one step of an int8 weight is worth. */
  readonly scale: number;
  readonly weighing: Weighing;
  readonly calibration: Calibration;
}

export interface ModelHeader {
  /** Changes with every training whose weights differ. */
  readonly version: string;
  /** SHA-256 of all that it was trained on. */
  readonly inputs: string;
  /** Of the features of fixed texts: a model is of use only with the code that it was trained with. */
  readonly features: string;
  readonly user: Head;
  readonly tool: Head;
}

export interface InjectionModel {
  readonly header: ModelHeader;
  /** User's and tool's weight of each bucket. */
  readonly weights: Int8Array;
}

/** Views a model file in place, shared memory too. Throws a RangeError where it is not one. */
export function readModel(file: Uint8Array): InjectionModel {
  const { buffer, byteOffset, byteLength } = file;
  const view = new DataView(buffer, byteOffset, byteLength);
  if (byteLength < 8 || view.getUint32(0, true) !== magic) {
    throw new RangeError("not an injection model");
  }
  const from = 8 + view.getUint32(4, true);
  if (byteLength !== from + bucketsBytes) {
    throw new RangeError("the injection model is cut off");
  }
  // Copied, for a decoder takes no shared memory.
  const json = Buffer.from(file.slice(8, from)).toString("utf8");
  // Written by writeModel, and measured above.
  const header = JSON.parse(json) as ModelHeader;
  const weights = new Int8Array(buffer, byteOffset + from, bucketsBytes);
  return { header, weights };
}

/** Writes what `readModel` reads; training only. */
export function writeModel({ header, weights }: InjectionModel): Uint8Array {
  const json = JSON.stringify(header);
  const length = Math.ceil(Buffer.byteLength(json) / 8) * 8;
  const head = Buffer.alloc(8 + length, " ");
  head.writeUInt32LE(magic, 0);
  head.writeUInt32LE(length, 4);
  head.write(json, 8, "utf8");
  const { buffer, byteOffset, byteLength } = weights;
  return Buffer.concat([head, Buffer.from(buffer, byteOffset, byteLength)]);
}
