import { bodyBytesPerStep, bodyBytesWorkedOnPerTurn } from "../../contract/limits.ts";
import { JsonScanner, type JsonFault, type TopLevel } from "../../json/scanner.ts";
import { TurnShare } from "../../runtime/turn-share.ts";

/**
 * The bytes of complete large bodies that are processed in one turn of the loop, over all bodies together.
 */
export const bodyShare = new TurnShare(bodyBytesWorkedOnPerTurn);

/** Joins the pieces; each turn of the loop copies some of them. A small body is copied at once. */
export async function joined(
  pieces: readonly Uint8Array[],
  share: TurnShare = bodyShare,
): Promise<Buffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= bodyBytesPerStep) return Buffer.concat(pieces);
  // Not from Node's pool, because cloning a view to a worker copies its whole backing store.
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += bodyBytesPerStep) {
      const part = piece.subarray(at, at + bodyBytesPerStep);
      await share.run(() => {
        bytes.set(part, filled);
        return { value: null, cost: part.length };
      });
      filled += part.length;
    }
  }
  return bytes;
}

/**
 * Scans a whole JSON text (see `JsonScanner`), a part in each turn of the loop. A small text is scanned at
 * once.
 */
export async function scanned(
  bytes: Uint8Array,
  share: TurnShare = bodyShare,
): Promise<JsonFault | TopLevel> {
  const scanner = new JsonScanner();
  const { length } = bytes;
  for (let seen = bodyBytesPerStep; seen < length; seen += bodyBytesPerStep) {
    const fault = await share.run(() => ({
      value: scanner.grown(bytes, seen),
      cost: bodyBytesPerStep,
    }));
    if (fault !== undefined) return fault;
  }
  return scanner.finish(bytes, length);
}
