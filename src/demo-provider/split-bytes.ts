const lineFeed = 0x0a;
const backslash = 0x5c;
const colon = 0x3a;

/** Text with everything that a split can break: characters of 2, 3 and 4 bytes, joined emoji, escapes. */
export const awkwardText =
  'Grüße aus Köln: "naïve" \\ 世界 — здравствуй, 👩‍👩‍👧‍👦 and 🇩🇪!\nA second line\u2028and 𝕌𝕟𝕚𝕔𝕠𝕕𝕖 \u0001 at its end 🎉';

/**
 * Cuts bytes at every place where a careless reader fails: inside a character, between the two line
 * ends of a frame (so that the second comes with the next frame's beginning), between CR and LF,
 * after a line's first letter, after a colon, and inside an escape. The joined pieces are the
 * original bytes.
 */
export function awkwardPieces(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = 1; at < bytes.length; at += 1) {
    if (!isAwkward(bytes, at)) continue;
    pieces.push(bytes.subarray(from, at));
    from = at;
  }
  pieces.push(bytes.subarray(from));
  return pieces;
}

/** Whether a careless reader fails at a cut between `at` - 1 and `at`. */
function isAwkward(bytes: Buffer, at: number): boolean {
  const next = bytes[at] ?? 0;
  const last = bytes[at - 1];
  const insideCharacter = (next & 0xc0) === 0x80;
  const behindLineStart = bytes[at - 2] === lineFeed && last !== lineFeed;
  return (
    insideCharacter || next === lineFeed || behindLineStart || last === colon || last === backslash
  );
}
