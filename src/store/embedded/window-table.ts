import type { Database } from "lmdb";

/** The bytes of slots by `SharedSlots.nameOf`, and one row more that says what they mean. */
export type WindowTable = Database<Uint8Array, string>;
