/** Where the character begins that this byte of UTF-8 belongs to. */
export function characterStart(utf8: Uint8Array, at: number): number {
  let start = at;
  while (isContinuation(utf8[start])) start -= 1;
  return start;
}

/** Where the character ends that this byte would continue; `at` itself at the beginning of one. */
export function characterEnd(utf8: Uint8Array, at: number): number {
  let end = at;
  while (isContinuation(utf8[end])) end += 1;
  return end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
