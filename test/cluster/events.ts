import { zstdDecompressSync } from "node:zlib";
import { expect } from "vitest";
import { readEvent, type RecordedEvent } from "../../src/contract/audit.ts";
import type { Cluster } from "./cluster.ts";

interface Run {
  readonly place: string;
  readonly lines: Buffer | null;
  readonly made: string | null;
}

/** How holds end. */
const ends: ReadonlySet<string> = new Set([
  ...["payg.hold.released", "payg.hold.expired"],
  ...["payg.debit.applied", "payg.debit.recovered", "payg.debit.insufficient_balance"],
]);

/** What became of a request, told when its answer has ended. */
const outcomes: ReadonlySet<string> = new Set([
  ...["request.completed", "request.blocked", "request.failed"],
  ...["scan.completed", "scan.failed"],
]);

/** What the log tells of requests, and whether it tells it once. Each look reads what is new. */
export class Events {
  readonly #cluster: Cluster;
  #place = 0;
  /** Kind and request of each event. */
  readonly #known = new Set<string>();
  #twice: string[] = [];
  /** Requests with a hold that no event has ended. */
  readonly #held = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #told = new Set<string>();
  /** Requests of killed gateways that were debited, and of which nothing else is known. */
  readonly #forgotten = new Set<string>();
  /** Cost in dollars by request. */
  readonly #debits = new Map<string, string>();
  /** Requests whose debit was not covered when it came. */
  owed = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /**
   * Call it when nothing moves. `debits`: cost in dollars by request, as the books have them. `forgottenMax`: of how many
   * more the log may lack what became of the request. `runsAgain`: others have taken over items of a job from a gateway that
   * was taken for dead, and that may have run them.
   */
  async expectOnce(
    debits: ReadonlyMap<string, string>,
    forgottenMax: number,
    runsAgain: boolean,
  ): Promise<void> {
    const runs = await this.#cluster.query<Run>(
      `SELECT place, lines, made FROM weir.run WHERE place > ${this.#place} ORDER BY place`,
    );
    for (const { place, lines, made } of runs) {
      const own = lines === null ? "" : zstdDecompressSync(lines).toString();
      for (const line of `${own}\n${made ?? ""}`.split("\n")) {
        if (line !== "") this.#take(readEvent(line));
      }
      this.#place = Number(place);
    }
    const isStrange = (known: string): boolean => !runsAgain || !known.includes(" scanjob_");
    expect(this.#twice.filter(isStrange), "events that are in the log twice").toEqual([]);
    this.#twice = [];
    const open = [...this.#held].filter((requestId) => !this.#ended.has(requestId));
    expect(open, "holds without an end").toEqual([]);
    const isUntold = (id: string): boolean => !this.#told.has(id) && !this.#forgotten.has(id);
    const untold = [...debits.keys()].filter(isUntold);
    const what = `debits of requests that the log does not tell of: ${untold.join(", ")}`;
    expect(untold.length, what).toBeLessThanOrEqual(forgottenMax);
    for (const id of untold) this.#forgotten.add(id);
    const differing = [...debits].filter(([id, costUsd]) => this.#debits.get(id) !== costUsd);
    expect(differing, "debits that the log does not tell of").toEqual([]);
    const others = [...this.#debits.keys()].filter((id) => !debits.has(id));
    expect(others, "debits that the books do not have").toEqual([]);
  }

  #take({ event_type: type, request_id: requestId, data }: RecordedEvent): void {
    if (requestId === null) return;
    const known = `${type} ${requestId}`;
    if (this.#known.has(known)) this.#twice.push(known);
    this.#known.add(known);
    if (type === "payg.hold.placed") this.#held.add(requestId);
    if (ends.has(type)) this.#ended.add(requestId);
    if (outcomes.has(type)) this.#told.add(requestId);
    if (type === "payg.debit.insufficient_balance") this.owed += 1;
    if (type === "payg.debit.applied" || type === "payg.debit.recovered") {
      this.#debits.set(requestId, String(data["costUsd"]));
    }
  }
}
