import { closeSync, constants, existsSync, fsyncSync, openSync, readSync } from "node:fs";
import { renameSync, rmSync, write, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { journalFileBytes } from "../../../contract/limits.ts";
import { refuse } from "../../../contract/errors.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import {
  fileIdOf,
  journalSlotBytes,
  newFileHead,
  recordBytes,
  writeRecord,
} from "./journal-record.ts";

export function journalPathIn(directory: string): string {
  return join(directory, "weir.journal");
}

/** The place of a batch in the file. */
export interface JournalPlace {
  readonly number: number;
  readonly at: number;
}

/** `fs.write`. */
export type WriteAt = (
  descriptor: number,
  bytes: Buffer,
  offset: number,
  length: number,
  at: number,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

export interface JournalFileOptions {
  /** Room for records; only tests choose another one. */
  readonly fileBytes?: number;
  readonly write?: WriteAt;
}

/** The writing side of the file. It writes one record at a time. */
export class JournalFile {
  readonly #descriptor: number;
  readonly #id: Buffer;
  readonly #fileBytes: number;
  readonly #write: WriteAt;
  #next = journalSlotBytes;
  /** The batches that LMDB may lack, oldest first. Their room is not free. */
  #kept: readonly JournalPlace[] = [];
  #buffer = Buffer.allocUnsafeSlow(16 * journalSlotBytes);

  /**
   * Opens the file, or makes one, which is complete before it gets its name. Call it when LMDB has all
   * batches of the file. Throws if the file can't be written.
   */
  constructor(path: string, { fileBytes = journalFileBytes, ...options }: JournalFileOptions = {}) {
    if (!existsSync(path)) make(path, fileBytes);
    // With O_DSYNC a write ends when its data is on the disk: `write` and `fdatasync` in one call.
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_DSYNC);
    const head = Buffer.alloc(journalSlotBytes);
    readSync(this.#descriptor, head, 0, head.length, 0);
    const id = fileIdOf(head);
    if (id === undefined) throw new Error(`${path} is damaged`);
    this.#id = id;
    this.#fileBytes = fileBytes;
    this.#write = options.write ?? write;
  }

  /** The places of the batches that LMDB may lack, oldest first. */
  get places(): readonly JournalPlace[] {
    return this.#kept;
  }

  /** LMDB has all batches up to this number. */
  release(number: number): void {
    this.#kept = this.#kept.filter((place) => place.number > number);
  }

  /** Whether an encoded batch fits now; false: more of the file must be released first. */
  fits(encoded: Buffer): boolean {
    return this.#placeOf(recordBytes(encoded.length)) !== undefined;
  }

  /**
   * Writes a batch that fits. It is durable when this resolves. Never rejects. Errors: `internal_error`
   * if the disk failed; the batch may then be written again. It goes to another place, because the
   * system may wrongly count the failed pages as written.
   */
  append(number: number, encoded: Buffer): Promise<Outcome<null>> {
    const bytes = recordBytes(encoded.length);
    const at = this.#placeOf(bytes);
    if (at === undefined) throw new Error("the journal's file has no room");
    this.#next = at + bytes;
    const record = this.#record(number, encoded, bytes);
    return new Promise((resolve) => {
      this.#write(this.#descriptor, record, 0, bytes, at, (error, written) => {
        if (error !== null || written < bytes) {
          resolve(notWritten(error?.code ?? `${written} of ${bytes} bytes`));
          return;
        }
        this.#kept = [...this.#kept, { number, at }];
        resolve(accept(null));
      });
    });
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #placeOf(bytes: number): number | undefined {
    const oldest = this.#kept[0]?.at;
    const start = journalSlotBytes;
    if (oldest !== undefined && oldest >= this.#next) {
      return this.#next + bytes <= oldest ? this.#next : undefined;
    }
    if (this.#next + bytes <= this.#fileBytes) return this.#next;
    return start + bytes <= (oldest ?? this.#fileBytes) ? start : undefined;
  }

  #record(number: number, encoded: Buffer, bytes: number): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafeSlow(2 * bytes);
    const record = this.#buffer.subarray(0, bytes);
    writeRecord(record, this.#id, number, encoded);
    return record;
  }
}

function make(path: string, fileBytes: number): void {
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, "wx", 0o600);
  try {
    const file = Buffer.alloc(fileBytes);
    newFileHead().copy(file);
    // On a full disk a write may be short without an error.
    if (writeSync(descriptor, file) < fileBytes) throw new Error(`there is no room for ${path}`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path);
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function notWritten(why: string): Outcome<null> {
  return refuse("internal_error", `The gateway's journal could not be written (${why}).`);
}
