/** When a key was last used, as threads tell each other. */
export interface KeyLastUse {
  readonly keyId: string;
  /** Wall clock. */
  readonly lastMs: number;
}

/** When a key was last used; one object a key, so that noting it costs no look-up. */
export interface KeyUse {
  readonly keyId: string;
  /** Wall clock; 0: not since the start. */
  lastMs: number;
  /** It is among those that wait to be written. */
  waits: boolean;
  /** Its key works; else it is forgotten as soon as it is written. */
  isHeld: boolean;
}

/**
 * When keys were last used, in memory: of those that work (at most `keysMax`), and of others until it
 * is written. What is not written yet is lost in a crash: at most `keyUsesWriteMs` of it.
 */
export class KeyUses {
  readonly #uses = new Map<string, KeyUse>();
  readonly #waits: () => void;
  #waiting: KeyUse[] = [];

  /** `waits` hears of every use that begins to wait, and of those that `take` leaves. */
  constructor(waits: () => void = () => undefined) {
    this.#waits = waits;
  }

  /** Keys whose last use is remembered: those that work, and those whose use is not written yet. */
  get size(): number {
    return this.#uses.size;
  }

  /** The use of a key that works; the same object until it is let go. */
  hold(keyId: string): KeyUse {
    const use = this.#of(keyId);
    use.isHeld = true;
    return use;
  }

  /** The key does not work any more: what is known of its use is kept until it is written. */
  letGo(keyId: string): void {
    const use = this.#uses.get(keyId);
    if (use === undefined) return;
    use.isHeld = false;
    if (!use.waits) this.#uses.delete(keyId);
  }

  /** Wall clock of the last use since the start; 0: none. */
  lastMs(keyId: string): number {
    return this.#uses.get(keyId)?.lastMs ?? 0;
  }

  /** What another thread tells; the key may have been revoked meanwhile. */
  noteOf({ keyId, lastMs }: KeyLastUse): void {
    this.note(this.#of(keyId), lastMs);
  }

  /** On the way of every request. */
  note(use: KeyUse, wallMs: number): void {
    // What another thread tells may be older.
    if (use.lastMs < wallMs) use.lastMs = wallMs;
    if (use.waits) return;
    use.waits = true;
    this.#waiting.push(use);
    this.#waits();
  }

  /** Those to be written, at most `countMax`; they wait no more. */
  take(countMax: number): readonly KeyUse[] {
    const taken = this.#waiting.splice(0, countMax);
    for (const use of taken) {
      use.waits = false;
      if (!use.isHeld) this.#uses.delete(use.keyId);
    }
    if (this.#waiting.length > 0) this.#waits();
    return taken;
  }

  #of(keyId: string): KeyUse {
    const known = this.#uses.get(keyId);
    if (known !== undefined) return known;
    const use: KeyUse = { keyId, lastMs: 0, waits: false, isHeld: false };
    this.#uses.set(keyId, use);
    return use;
  }
}
