/** A key's last use, in the form that threads send to each other. */
export interface KeyLastUse {
  readonly keyId: string;
  /** Wall clock. */
  readonly lastMs: number;
}

/** The last use of a key; one object for each key, so that recording a use costs no look-up. */
export interface KeyUse {
  readonly keyId: string;
  /** Wall clock; 0: not since the start. */
  lastMs: number;
  /** True: the use waits to be written. */
  waits: boolean;
  /** Whether its key works. If not, this object is dropped as soon as the use is written. */
  isHeld: boolean;
}

/**
 * The last uses of keys, in memory: of working keys (at most `keysMax`), and of others until the use is
 * written. A crash loses uses that are not written yet: at most `keyUsesWriteMs` of them.
 */
export class KeyUses {
  readonly #uses = new Map<string, KeyUse>();
  readonly #waits: () => void;
  #waiting: KeyUse[] = [];

  /** `waits` is called for every use that begins to wait, and for those that `take` leaves. */
  constructor(waits: () => void = () => undefined) {
    this.#waits = waits;
  }

  /** Keys whose last use is remembered: those that work, and those whose use is not written yet. */
  get size(): number {
    return this.#uses.size;
  }

  /** The use of a working key; the same object until it is released. */
  hold(keyId: string): KeyUse {
    const use = this.#of(keyId);
    use.isHeld = true;
    return use;
  }

  /** The key does not work any more: its use is kept until it is written. */
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

  /** A use that another thread reports; the key may have been revoked meanwhile. */
  noteOf({ keyId, lastMs }: KeyLastUse): void {
    this.note(this.#of(keyId), lastMs);
  }

  /** Every request calls this. */
  note(use: KeyUse, wallMs: number): void {
    // A use from another thread may be older.
    if (use.lastMs < wallMs) use.lastMs = wallMs;
    if (use.waits) return;
    use.waits = true;
    this.#waiting.push(use);
    this.#waits();
  }

  /** Takes at most `countMax` waiting uses, so that the caller writes them. */
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
