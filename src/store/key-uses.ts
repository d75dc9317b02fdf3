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
}

/**
 * When keys were last used, in memory. What is not written yet is lost in a crash: at most
 * `keyUsesWriteMs` of it.
 */
export class KeyUses {
  readonly #uses = new Map<string, KeyUse>();
  #waiting: KeyUse[] = [];

  /** The use of a key; the same object for as long as it is not forgotten. */
  of(keyId: string): KeyUse {
    const known = this.#uses.get(keyId);
    if (known !== undefined) return known;
    const use: KeyUse = { keyId, lastMs: 0, waits: false };
    this.#uses.set(keyId, use);
    return use;
  }

  /** Wall clock of the last use since the start; 0: none. */
  lastMs(keyId: string): number {
    return this.#uses.get(keyId)?.lastMs ?? 0;
  }

  /** On the way of every request. */
  note(use: KeyUse, wallMs: number): void {
    // What another thread tells may be older.
    if (use.lastMs < wallMs) use.lastMs = wallMs;
    if (use.waits) return;
    use.waits = true;
    this.#waiting.push(use);
  }

  /** Those to be written, at most `countMax`; they wait no more. */
  take(countMax: number): readonly KeyUse[] {
    const taken = this.#waiting.splice(0, countMax);
    for (const use of taken) use.waits = false;
    return taken;
  }
}
