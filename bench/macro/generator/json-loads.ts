import { quantile } from "../statistics.ts";
import { Connection } from "./connection.ts";
import { requestBytes, UniqueText, type Target } from "./request.ts";

/** A small request that is sent again and again. */
export interface JsonCall {
  readonly target: Target;
  /** Contains `uniqueMark` if each request shall be different. */
  readonly body: string;
  /** The status that each answer must have; absent: 200. */
  readonly status?: number;
  /** The required length of each answer's body; any other length is a failure. null: any length. */
  readonly answerBytes: number | null;
}

export interface JsonLoadResult {
  readonly answered: number;
  readonly failed: number;
  readonly firstFailure: string | null;
  /** The time from when a request was due to its answer's last byte. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

class Tally {
  readonly latenciesMs: number[] = [];
  failed = 0;
  #firstFailure: string | null = null;

  fail(why: string): void {
    this.failed += 1;
    this.#firstFailure ??= why;
  }

  result(): JsonLoadResult {
    const none = this.latenciesMs.length === 0;
    return {
      answered: this.latenciesMs.length,
      failed: this.failed,
      firstFailure: this.#firstFailure,
      p50Ms: none ? NaN : quantile(this.latenciesMs, 0.5),
      p99Ms: none ? NaN : quantile(this.latenciesMs, 0.99),
    };
  }
}

/** Sends one request; resolves when it is over, with false if the connection can't be used again. */
function once(
  connection: Connection,
  bytes: Buffer,
  { status: expected = 200, answerBytes }: JsonCall,
  begunMs: number,
  tally: Tally,
): Promise<boolean> {
  return new Promise((resolve) => {
    let status = 0;
    let received = 0;
    connection.send(bytes, {
      head: (code) => (status = code),
      body: (piece) => (received += piece.length),
      end: () => {
        const isAsLong = answerBytes === null || received === answerBytes;
        if (status === expected && isAsLong) {
          tally.latenciesMs.push(performance.now() - begunMs);
        } else {
          const wanted =
            answerBytes === null ? String(expected) : `${expected} with ${answerBytes}`;
          tally.fail(`status ${status} with ${received} bytes, not ${wanted}`);
        }
        resolve(true);
      },
      failed: (error) => {
        tally.fail(error.message);
        resolve(false);
      },
    });
  });
}

/** Closed loop: each connection sends its next request when the last one was answered. */
export async function closedLoop(
  call: JsonCall,
  connections: number,
  durationMs: number,
): Promise<JsonLoadResult> {
  const tally = new Tally();
  const texts = new UniqueText(call.body);
  const until = performance.now() + durationMs;
  const open = await Promise.all(
    Array.from({ length: connections }, () => Connection.open(call.target.port)),
  );
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() < until) {
        const bytes = requestBytes(call.target, texts.next());
        if (!(await once(connection, bytes, call, performance.now(), tally))) return;
      }
    }),
  );
  for (const connection of open) connection.close();
  return tally.result();
}

/** Open loop: requests are sent at their times, even if earlier ones are not answered. */
export async function openLoop(
  call: JsonCall,
  ratePerSecond: number,
  durationMs: number,
): Promise<JsonLoadResult> {
  const tally = new Tally();
  const texts = new UniqueText(call.body);
  const idle: Connection[] = [];
  const running = new Set<Promise<void>>();
  const begunMs = performance.now();
  const total = Math.round((ratePerSecond * durationMs) / 1_000);
  for (let sent = 0; sent < total;) {
    // A late request is sent at once, and its latency counts from when it was due. The first is due
    // now.
    const passedMs = performance.now() - begunMs;
    const due = Math.min(total, Math.floor((passedMs * ratePerSecond) / 1_000) + 1);
    for (; sent < due; sent += 1) {
      const dueMs = begunMs + (sent * 1_000) / ratePerSecond;
      const exchange = send(dueMs).finally(() => running.delete(exchange));
      running.add(exchange);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
  for (const connection of idle) connection.close();
  return tally.result();

  async function send(dueMs: number): Promise<void> {
    const connection = idle.pop() ?? (await Connection.open(call.target.port));
    const bytes = requestBytes(call.target, texts.next());
    if (await once(connection, bytes, call, dueMs, tally)) idle.push(connection);
  }
}
