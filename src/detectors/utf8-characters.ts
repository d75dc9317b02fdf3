/** The offset at which the character of this UTF-8 byte begins. */
export function characterStart(utf8: Uint8Array, at: number): number {
  let start = at;
  while (isContinuation(utf8[start])) start -= 1;
  return start;
}

/** The end of the character that this byte continues; `at` itself if a character begins there. */
export function characterEnd(utf8: Uint8Array, at: number): number {
  let end = at;
  while (isContinuation(utf8[end])) end += 1;
  return end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
