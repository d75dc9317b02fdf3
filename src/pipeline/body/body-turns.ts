import { bodyBytesPerStep, bodyBytesWorkedOnPerTurn } from "../../contract/limits.ts";
import { JsonScanner, type JsonFault, type TopLevel } from "../../json/scanner.ts";
import { TurnShare } from "../../runtime/turn-share.ts";

/** What is done with large bodies when they have come, of all of them together; in bytes. */
export const bodyShare = new TurnShare(bodyBytesWorkedOnPerTurn);

/** The pieces as one, of which each turn of the loop copies some. A small one is copied at once. */
export async function joined(
  pieces: readonly Uint8Array[],
  share: TurnShare = bodyShare,
): Promise<Buffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= bodyBytesPerStep) return Buffer.concat(pieces);
  // Not from Node's pool: a clone to a worker copies a view's whole backing store.
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

/** Looks at a whole JSON text (see `JsonScanner`), of which each turn of the loop sees some; at a small one at once. */
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
