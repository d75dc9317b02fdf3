/**
 * A part of a JSON text. The end of the arrived bytes may cut it anywhere; reading continues when more
 * bytes come.
 */
export interface Token {
  /**
   * Reads from `at` to the token's end, a fault or `length`, and returns how far it came. It ended
   * if `ended` is true, it is faulty at the returned offset if `fault` is set.
   */
  advance(bytes: Uint8Array, at: number, length: number): number;
  readonly ended: boolean;
  /** Prose for a client; never quotes content. */
  readonly fault: string | undefined;
}
