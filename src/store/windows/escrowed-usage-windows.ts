import { slotChangeTriesMax, usageWindowRetryMs, usageWindowSlots } from "../../contract/limits.ts";
import { SharedSlots, type NoSlot, type Slot } from "../slots/shared-slots.ts";
import type { Update } from "../slots/slot-cells.ts";
import { amountOf } from "./usage-amount.ts";
import type { CapUse, UsageOperation } from "./usage-count.ts";
import type {
  ReservedCap,
  ReservedUsage,
  UsageAmounts,
  UsageCap,
  UsageDecision,
  UsageRefusal,
  UsageWindows,
} from "./usage-windows.ts";

/**
 * A cap's slot in words of 64 bits: the grant (what this gateway may use without asking), the part of it that is in
 * flight, and everything else that counts against the cap: used in the window, and granted to others. The last is as
 * of the store's last answer, with what was used here since.
 */
const grantWord = 0;
const inFlightWord = 1;
const elsewhereWord = 2;
const wordsPerSlot = 3;

/** The owner's word with the epoch of the grants; below 0 while they are being given up. */
const epochWord = 0;

/**
 * Usage windows of a gateway that shares its caps with others, in shared memory. The windows themselves are in the shared
 * store. Here is what this gateway may use: a request is admitted only if its worst case fits. What is used leaves the
 * grant at once, and reaches the store with the request's debit. So the grant here is never above the store's.
 */
export class EscrowedUsageWindows implements UsageWindows {
  readonly table: SharedSlots;
  readonly #words: BigInt64Array;

  constructor(options: { readonly slots?: number; readonly buffer?: SharedArrayBuffer } = {}) {
    const { slots = usageWindowSlots, ...shared } = options;
    this.table = new SharedSlots({ ...shared, slots, bytesPerSlot: wordsPerSlot * 8 });
    this.#words = this.table.int64;
  }

  /** Grows when all grants are lost. */
  get epoch(): number {
    return this.table.ownerWords[epochWord] ?? 0;
  }

  reserve(caps: readonly UsageCap[], worst: UsageAmounts): UsageDecision {
    for (let tries = 0; tries < slotChangeTriesMax; tries++) {
      const held = this.#heldOf(caps);
      if (held === "full") return { admitted: false, refusedAt: null, because: "full" };
      if (held === "busy") break;
      const decision = this.#decide(held, worst);
      if (decision === "busy") break;
      if (decision !== "gone") return decision;
    }
    return { admitted: false, refusedAt: null, because: "busy" };
  }

  settle(reservation: ReservedUsage, actual: UsageAmounts): UsageOperation | null {
    return this.#end(reservation, actual);
  }

  release(reservation: ReservedUsage): UsageOperation | null {
    return this.#end(reservation, nothing);
  }

  /** As far as this gateway knows. What others may use counts as used. */
  used({ id }: Pick<UsageCap, "id">): bigint {
    return this.#read(id, (cell) => this.#word(cell, elsewhereWord));
  }

  /** Raises the grant. `total`: what is used in the window and granted to all, after that. False: no room for the id. */
  raise(id: string, amount: bigint, total: bigint): boolean {
    const update = this.table.changeOf(id, (cell) => {
      const grant = this.#word(cell, grantWord) + amount;
      this.#set(cell, grantWord, grant);
      this.#set(cell, elsewhereWord, max(0n, total - grant));
      return true;
    });
    return update === "changed";
  }

  /** Notes what is used in the window and granted to all. */
  heard(id: string, total: bigint): void {
    const slot = this.table.find(id);
    if (slot === undefined) return;
    this.table.change(slot, (cell) => {
      this.#set(cell, elsewhereWord, max(0n, total - this.#word(cell, grantWord)));
      return true;
    });
  }

  /** The part of the grant that no request has reserved. */
  idle(id: string): bigint {
    return this.#read(id, (cell) => this.#idleIn(cell));
  }

  /** Lowers the grant by what is idle, at most by `most`. Returns by how much. */
  lower(id: string, most: bigint): bigint {
    const slot = this.table.find(id);
    if (slot === undefined) return 0n;
    let lowered = 0n;
    const update = this.table.change(slot, (cell) => {
      lowered = min(this.#idleIn(cell), most);
      if (lowered === 0n) return false;
      this.#set(cell, grantWord, this.#word(cell, grantWord) - lowered);
      // It counts against the cap until the store has it back.
      this.#set(cell, elsewhereWord, this.#word(cell, elsewhereWord) + lowered);
      return true;
    });
    return update === "changed" ? lowered : 0n;
  }

  /** Whether nothing of the cap is granted here. */
  isUnused(id: string): boolean {
    return this.#read(id, (cell) => this.#word(cell, grantWord)) === 0n;
  }

  /** Whether a slot equals a new one, but for what is known of others; `cell` as in `SharedSlots.change`. */
  isEmpty(cell: number): boolean {
    return this.#word(cell, grantWord) === 0n && this.#word(cell, inFlightWord) === 0n;
  }

  /** Gives up all grants. Requests in flight go on; what they use is counted without a grant. */
  forgetAll(epoch: number): void {
    this.table.ownerWords[epochWord] = -1;
    for (let index = 0; index < this.table.end; index += 1) this.#forgetAt(index);
    this.table.ownerWords[epochWord] = epoch;
  }

  #forgetAt(index: number): void {
    for (let tries = 0; tries < slotChangeTriesMax; tries += 1) {
      if (this.table.reclaim(index, () => true) !== undefined) return;
      if (!this.table.look(index, () => undefined)) return;
    }
    throw new Error("a grant could not be given up");
  }

  #heldOf(caps: readonly UsageCap[]): readonly ReservedCap[] | NoSlot {
    const held: ReservedCap[] = [];
    for (const cap of caps) {
      const slot = this.table.claim(cap.id);
      if (typeof slot === "string") return slot;
      held.push({ slot, cap });
    }
    return held;
  }

  #decide(
    held: readonly ReservedCap[],
    worst: UsageAmounts,
  ): UsageDecision | Extract<Update, "gone" | "busy"> {
    for (const [place, { slot, cap }] of held.entries()) {
      let refusal: UsageRefusal | undefined;
      const update = this.table.change(slot, (cell) => {
        refusal = this.#refusal(cell, cap, worst, place);
        if (refusal !== undefined) return false;
        this.#addInFlight(cell, amountOf(cap, worst));
        return true;
      });
      const isAdmitted = update === "changed";
      if (isAdmitted) continue;
      for (const taken of held.slice(0, place)) this.#giveBack(taken.slot, taken.cap, worst);
      if (update !== "kept") return update;
      if (refusal === undefined) throw new Error("a cap refused without a reason");
      return refusal;
    }
    return { admitted: true, reservation: { worst, held, atMs: 0, ended: false }, counted: null };
  }

  #refusal(
    cell: number,
    cap: UsageCap,
    worst: UsageAmounts,
    refusedAt: number,
  ): UsageRefusal | undefined {
    const inFlight = this.#word(cell, inFlightWord);
    const usage = this.#word(cell, elsewhereWord) + inFlight;
    // Nothing is admitted without a grant, so a request that uses nothing asks too.
    const wanted = max(amountOf(cap, worst), 1n);
    const missing = inFlight + wanted - this.#word(cell, grantWord);
    const isOver = usage >= cap.threshold || (cap.hard && usage + wanted > cap.threshold);
    if (missing <= 0n && !isOver) return undefined;
    const retryAfterSeconds = usageWindowRetryMs / 1_000;
    return { admitted: false, refusedAt, usage, retryAfterSeconds, short: max(missing, 1n) };
  }

  #end(reservation: ReservedUsage, actual: UsageAmounts): UsageOperation | null {
    if (reservation.ended) return null;
    reservation.ended = true;
    // Read before the grants are changed: if they are given up meanwhile, nothing of them is returned.
    const epoch = this.epoch;
    const uses: CapUse[] = [];
    for (const { slot, cap } of reservation.held) {
      const amount = amountOf(cap, actual);
      if (amount === 0n) {
        this.#giveBack(slot, cap, reservation.worst);
        continue;
      }
      let released = 0n;
      const update = this.table.mustChange(slot, (cell) => {
        const grant = this.#word(cell, grantWord);
        released = min(amount, grant);
        this.#addInFlight(cell, -amountOf(cap, reservation.worst));
        this.#set(cell, grantWord, grant - released);
        this.#set(cell, elsewhereWord, this.#word(cell, elsewhereWord) + amount);
        return true;
      });
      if (update !== "changed") released = 0n;
      uses.push({ id: cap.id, window: cap.window, amount, released });
    }
    return uses.length === 0 ? null : { kind: "capUse", epoch, uses };
  }

  #giveBack(slot: Slot, cap: UsageCap, worst: UsageAmounts): void {
    this.table.mustChange(slot, (cell) => {
      this.#addInFlight(cell, -amountOf(cap, worst));
      return true;
    });
  }

  #read(id: string, read: (cell: number) => bigint): bigint {
    const slot = this.table.find(id);
    let found = 0n;
    if (slot === undefined) return found;
    this.table.change(slot, (cell) => {
      found = read(cell);
      return false;
    });
    return found;
  }

  #idleIn(cell: number): bigint {
    return max(0n, this.#word(cell, grantWord) - this.#word(cell, inFlightWord));
  }

  #addInFlight(cell: number, amount: bigint): void {
    this.#set(cell, inFlightWord, this.#word(cell, inFlightWord) + amount);
  }

  #word(cell: number, word: number): bigint {
    return this.#words[(cell * this.table.bytesPerCell) / 8 + word] ?? 0n;
  }

  #set(cell: number, word: number, value: bigint): void {
    this.#words[(cell * this.table.bytesPerCell) / 8 + word] = value;
  }
}

const nothing: UsageAmounts = { costMicroUsd: 0n, tokens: 0n, requests: 0n };

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
