/**
 * A part of a JSON text that may be cut anywhere by the end of the bytes that have arrived, and is
 * read on when more are there.
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
