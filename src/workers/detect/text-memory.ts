import { createHash, hash } from "node:crypto";
import { rememberedTextBytesMin } from "../../contract/limits.ts";
import type { InjectionDetector } from "../../detectors/injection/detector.ts";
import { NumberTable, type NumberKey } from "../../runtime/number-table.ts";

/** Hash input for texts up to about this length is assembled here; longer texts are not copied. */
const inputBytes = 64 * 1024;

/**
 * Remembers numbers of earlier texts, their scores and their token counts, so that a conversation that
 * grows by one turn costs one turn (design: Screen). The key is a hash that begins with a secret of
 * this process: a collision that a caller can choose would let an attack pass. The organization is part
 * of the key: with a shared entry, a tenant could learn from the speed what another one sent. It
 * remembers scores, not verdicts, so the key needs no policy.
 */
export class TextMemory {
  readonly #numbers: NumberTable;
  /** The secret, followed by the data to hash. */
  readonly #input = Buffer.allocUnsafeSlow(inputBytes);
  readonly #secretLength: number;

  /** `secret`: 32 random bytes. */
  constructor(secret: Uint8Array, entriesMax: number) {
    this.#numbers = new NumberTable(entriesMax);
    this.#input.set(secret);
    this.#secretLength = secret.length;
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** The detector, with the memory of one organization. */
  over(detector: InjectionDetector, orgId: string): InjectionDetector {
    const owner = JSON.stringify([orgId, detector.version]);
    return {
      version: detector.version,
      score: (utf8, segment) =>
        this.recall(`${owner}${segment}`, utf8, () => detector.score(utf8, segment)),
    };
  }

  /**
   * The result of `compute` for a text, computed or remembered. `owner` names organization, purpose and
   * version. Numbers of short texts, and NaN, are not remembered.
   */
  recall(owner: string, utf8: Buffer, compute: () => number): number {
    if (utf8.length < rememberedTextBytesMin) return compute();
    const key = this.keyOf(owner, utf8);
    const known = this.numberOf(key);
    if (known !== undefined) return known;
    const number = compute();
    if (!Number.isNaN(number)) this.#numbers.add(key, number);
    return number;
  }

  /** The key for the number of a text, however short; `owner` as in `recall`. */
  keyOf(owner: string, utf8: Uint8Array): NumberKey {
    // The key is a hash of the secret, the owner's length and name, and the text.
    const input = this.#input;
    const ownerAt = this.#secretLength + 4;
    const textAt = ownerAt + input.write(owner, ownerAt);
    input.writeUInt32LE(textAt - ownerAt, this.#secretLength);
    const digest = this.#digest(textAt, utf8);
    return [wordOf(digest, 0), wordOf(digest, 4), wordOf(digest, 8), wordOf(digest, 12)];
  }

  /** undefined: the number was not kept, or was removed to make room. */
  numberOf(key: NumberKey): number | undefined {
    return this.#numbers.get(key);
  }

  /** Stores a number that was computed elsewhere, unless another caller has stored it meanwhile. */
  keep(key: NumberKey, number: number): void {
    if (this.#numbers.get(key) === undefined) this.#numbers.add(key, number);
  }

  /**
   * Hashes the input before `textAt` together with the text. The digest as a string costs half as
   * much as a buffer.
   */
  #digest(textAt: number, utf8: Uint8Array): string {
    const input = this.#input;
    const end = textAt + utf8.length;
    if (end > input.length) {
      const hashed = createHash("sha256").update(input.subarray(0, textAt)).update(utf8);
      return hashed.digest("binary");
    }
    input.set(utf8, textAt);
    return hash("sha256", input.subarray(0, end), "binary");
  }
}

function wordOf(bytes: string, at: number): number {
  return (
    (bytes.charCodeAt(at) |
      (bytes.charCodeAt(at + 1) << 8) |
      (bytes.charCodeAt(at + 2) << 16) |
      (bytes.charCodeAt(at + 3) << 24)) >>>
    0
  );
}
