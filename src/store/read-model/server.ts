import {
  recordsBehindMax,
  recordsBehindMsMax,
  recordsFollowMs,
  recordsFreeBytesMin,
  recordsProgressMs,
  recordsQueriesAtOnce,
  recordsQueriesWaitingMax,
  recordsRestartMs,
  recordsRestartMsMax,
} from "../../contract/limits.ts";
import { Asking, Unanswered } from "./asker.ts";
import { RecordsDatabase } from "./database.ts";
import { follow, isOf } from "./follower.ts";
import type { LogSource } from "./log-source.ts";
import type { FromReadModel, ToReadModel, Unable } from "./messages.ts";
import { Tails } from "./tails.ts";

export interface ReadModelServerOptions {
  readonly directory: string;
  readonly log: LogSource;
  readonly freeBytes: () => number;
  readonly tell: (message: FromReadModel) => void;
}

type Ask = Extract<ToReadModel, { readonly kind: "ask" }>;

interface Running {
  readonly caller: string;
  asking: Asking | null;
  /** Its asker has left. */
  left: boolean;
}

interface Waiting extends Ask {
  /** By `performance.now()`. */
  readonly untilMs: number;
}

/**
 * The read model in its process: follows the log, and answers questions. A file that is missing, damaged, of
 * another form or of another log is made anew from the log.
 */
export class ReadModelServer {
  readonly #options: ReadModelServerOptions;
  #database: RecordsDatabase | null = null;
  #waiting: Waiting[] = [];
  readonly #tails: Tails;
  readonly #running = new Map<number, Running>();
  #turn: Promise<void> = Promise.resolve();
  #turnIsDue = false;
  #timer: NodeJS.Timeout | null = null;
  #pauseMs = recordsRestartMs;
  #ended = false;
  #toldAtMs = -Infinity;
  #toldRebuilding = false;

  constructor(options: ReadModelServerOptions) {
    this.#options = options;
    this.#tails = new Tails(options.tell);
  }

  start(): void {
    this.#follow();
  }

  receive(message: ToReadModel): void {
    switch (message.kind) {
      case "ask":
        this.#ask(message);
        return;
      case "leave":
        this.#leave(message.id);
        return;
      case "tail":
        this.#tails.add(message.id, message.filter, message.from);
        return;
      case "untail":
        this.#tails.remove(message.id);
        return;
      case "end":
        void this.#end();
    }
  }

  #ask(ask: Ask): void {
    if (this.#ended || this.#waiting.length >= recordsQueriesWaitingMax) {
      this.#unable(ask.id, "busy");
      return;
    }
    this.#waiting.push({ ...ask, untilMs: performance.now() + recordsBehindMsMax });
    setTimeout(() => this.#serve(), recordsBehindMsMax + 1);
    // What the question needs is followed at once, not at the next time.
    if (ask.reach > this.#next) this.#follow();
    this.#serve();
  }

  #leave(id: number): void {
    this.#waiting = this.#waiting.filter((one) => one.id !== id);
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.left = true;
    running.asking?.interrupt("gone");
  }

  /** Answers what can be, and refuses what waits in vain. */
  #serve(): void {
    const nowMs = performance.now();
    const isFarBehind = this.#isFarBehind;
    const stays: Waiting[] = [];
    for (const ask of this.#waiting) {
      const isBehind = this.#database === null || ask.reach > this.#next;
      if (isBehind && (isFarBehind || nowMs >= ask.untilMs)) this.#unable(ask.id, "behind");
      else if (isBehind || !this.#mayRun(ask)) stays.push(ask);
      else void this.#run(ask);
    }
    this.#waiting = stays;
  }

  #mayRun({ caller }: Ask): boolean {
    if (this.#running.size >= recordsQueriesAtOnce) return false;
    return [...this.#running.values()].every((one) => one.caller !== caller);
  }

  async #run({ id, caller, question }: Ask): Promise<void> {
    const database = this.#database;
    if (database === null) throw new Error("a question was begun without a database");
    const running: Running = { caller, asking: null, left: false };
    this.#running.set(id, running);
    try {
      running.asking = await Asking.begin(database, this.#options.log, this.#options.directory);
      if (running.left) running.asking.interrupt("gone");
      const answer = await running.asking.answer(question);
      this.#options.tell({ kind: "answer", id, answer });
    } catch (error) {
      if (error instanceof Unanswered) {
        // Nobody waits for the answer to one who has left.
        if (error.reason === "late") this.#unable(id, "late");
      } else {
        this.#unable(id, "failed");
        this.#trouble("a question on the records failed", error);
        if (isOfFile(error) && this.#database === database) {
          this.#discard();
          this.#follow();
        }
      }
    } finally {
      this.#running.delete(id);
      this.#serve();
    }
  }

  /** Follows the log soon, once the turn before is over. */
  #follow(): void {
    if (this.#turnIsDue || this.#ended) return;
    this.#turnIsDue = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#turn = this.#turn.then(async () => {
      this.#turnIsDue = false;
      const pauseMs = await this.#followOnce();
      if (this.#ended) return;
      this.#timer = setTimeout(() => this.#follow(), pauseMs);
    });
  }

  /** Returns milliseconds until the next time. Never rejects. */
  async #followOnce(): Promise<number> {
    const { log, freeBytes } = this.#options;
    try {
      const database = (this.#database ??= await this.#open());
      while (!this.#ended && this.#database === database && database.progress.next < log.size) {
        if (freeBytes() < recordsFreeBytesMin) {
          this.#trouble("the disk has no room for more records; questions on them wait", null);
          return recordsRestartMsMax;
        }
        this.#tails.offer(await follow(database, log));
        this.#tellState();
        this.#serve();
      }
      this.#pauseMs = recordsRestartMs;
      this.#tellState();
      this.#serve();
      return recordsFollowMs;
    } catch (error) {
      this.#trouble("the records could not be followed; they are made anew from the log", error);
      this.#discard();
      this.#serve();
      const pauseMs = this.#pauseMs;
      this.#pauseMs = Math.min(2 * pauseMs, recordsRestartMsMax);
      return pauseMs;
    }
  }

  async #open(): Promise<RecordsDatabase> {
    const { directory, log } = this.#options;
    try {
      const database = await RecordsDatabase.open(directory);
      if (isOf(database, log)) return database;
      database.close();
      this.#trouble("the file of the records is of another log, and is made anew", null);
    } catch (error) {
      this.#trouble("the file of the records can't be used, and is made anew", error);
    }
    RecordsDatabase.remove(directory);
    return RecordsDatabase.open(directory);
  }

  /** Removes the file: the next turn makes it anew. Never throws. */
  #discard(): void {
    for (const { asking } of this.#running.values()) asking?.interrupt("late");
    this.#database?.close();
    this.#database = null;
    try {
      RecordsDatabase.remove(this.#options.directory);
    } catch (error) {
      this.#trouble("the file of the records can't be removed", error);
    }
  }

  async #end(): Promise<void> {
    this.#ended = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const { id } of this.#waiting) this.#unable(id, "busy");
    this.#waiting = [];
    for (const { asking } of this.#running.values()) asking?.interrupt("late");
    await this.#turn;
    this.#database?.close();
    this.#database = null;
    this.#options.tell({ kind: "ended" });
  }

  get #next(): number {
    return this.#database?.progress.next ?? 0;
  }

  get #isFarBehind(): boolean {
    // Until the file is open, nobody knows.
    if (this.#database === null) return false;
    return this.#options.log.size - this.#next > recordsBehindMax;
  }

  #tellState(): void {
    const rebuilding = this.#isFarBehind;
    const nowMs = performance.now();
    const isDue = nowMs - this.#toldAtMs >= recordsProgressMs;
    if (!isDue && rebuilding === this.#toldRebuilding) return;
    this.#toldAtMs = nowMs;
    this.#toldRebuilding = rebuilding;
    const total = this.#options.log.size;
    this.#options.tell({ kind: "state", done: this.#next, total, rebuilding });
  }

  #unable(id: number, why: Unable): void {
    // How far it is stands in the answer.
    if (why === "behind") this.#toldAtMs = -Infinity;
    if (why === "behind") this.#tellState();
    this.#options.tell({ kind: "unable", id, why });
  }

  /** The database's own words may quote a value, so only their beginning is told. */
  #trouble(what: string, error: unknown): void {
    const kind = error instanceof Error ? (/^[\w ]{1,40}(?=:)/.exec(error.message)?.[0] ?? "") : "";
    this.#options.tell({ kind: "trouble", message: kind === "" ? what : `${what} (${kind})` });
  }
}

/** Whether an error says that the file can't be read, rather than that a question is too much for it. */
function isOfFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(IO|INTERNAL|FATAL|Corruption|Serialization) Error/.test(error.message)
  );
}
