import { batchPayloadBytesPerWrite } from "../../contract/limits.ts";

/** Items of a submission that one transaction writes: from `from`, before `to`. */
export interface PayloadPiece {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts a submission into pieces for one transaction each: at most `batchPayloadBytesPerWrite`, or one
 * longer item. There is at least one piece, and the last one is written with the job itself.
 */
export function payloadPieces(bytes: readonly number[]): readonly PayloadPiece[] {
  const pieces: PayloadPiece[] = [];
  let from = 0;
  let held = 0;
  for (const [index, length] of bytes.entries()) {
    if (index > from && held + length > batchPayloadBytesPerWrite) {
      pieces.push({ from, to: index });
      from = index;
      held = 0;
    }
    held += length;
  }
  return [...pieces, { from, to: bytes.length }];
}
