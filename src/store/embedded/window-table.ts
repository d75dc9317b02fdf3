import type { Database } from "lmdb";

/** The bytes of slots by `SharedSlots.nameOf`, and one more row that describes their form. */
export type WindowTable = Database<Uint8Array, string>;
