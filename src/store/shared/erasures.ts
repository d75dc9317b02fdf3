import { refuse } from "../../contract/errors.ts";
import { contentReapMs, contentRowsPerWrite } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Erasure, Erasures } from "../content/erasures.ts";
import type { SharedContents } from "./contents.ts";
import { bareError } from "./errors.ts";
import { callFunction, type Queryable } from "./call-function.ts";

/** How many of those that are left are asked for at once. */
const leftMax = 100;

export interface SharedErasuresOptions {
  readonly database: Queryable;
  readonly contents: Pick<SharedContents, "noteErasure">;
  readonly onFailure: (error: Error) => void;
}

/**
 * Erases readable content that is in PostgreSQL. The content, the plan and the event are in one database: the last step
 * removes the last rows, ends the plan and writes the event in one transaction. Any gateway carries out what another has
 * left; two that do it at once have one event.
 */
export class SharedErasures implements Erasures {
  readonly #options: SharedErasuresOptions;
  readonly #retries: NodeJS.Timeout;
  #resuming: Promise<void> | null = null;
  #stopped = false;

  constructor(options: SharedErasuresOptions) {
    this.#options = options;
    this.#retries = setInterval(() => void this.resume(), contentReapMs).unref();
  }

  async erase({ id, orgId, requestId, index, byKeyId }: Erasure): Promise<Outcome<number>> {
    const { database, contents, onFailure } = this.#options;
    try {
      const values = [id, orgId, requestId, index, byKeyId];
      const number = Number(await callFunction(database, "begin_erasure", values));
      await contents.noteErasure(number);
      return accept(await this.#carryOut(id));
    } catch (error) {
      onFailure(bareError("readable content could not be erased", error));
      return notFinished;
    }
  }

  resume(): Promise<void> {
    this.#resuming ??= this.#resume()
      .catch((error: unknown) => {
        this.#options.onFailure(bareError("readable content could not be erased", error));
      })
      .finally(() => (this.#resuming = null));
    return this.#resuming;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#retries);
  }

  async #resume(): Promise<void> {
    while (!this.#stopped) {
      const left = (await callFunction(this.#options.database, "erasures_left", [
        leftMax,
      ])) as string[];
      if (left.length === 0) return;
      for (const id of left) await this.#carryOut(id);
    }
  }

  /** Returns how many records it has removed, or an earlier try. */
  async #carryOut(id: string): Promise<number> {
    for (;;) {
      const values = [id, contentRowsPerWrite];
      const step = (await callFunction(
        this.#options.database,
        "erase_content",
        values,
      )) as Step | null;
      // It has ended long ago.
      if (step === null) return 0;
      if (step.ended || this.#stopped) return step.records;
    }
  }
}

interface Step {
  readonly ended: boolean;
  readonly records: number;
}

const notFinished = refuse(
  "internal_error",
  "It is not known whether the content was erased. What the shared store knows of will be, as soon as it can.",
  { details: { retryable: true }, retryAfterSeconds: 1 },
);
