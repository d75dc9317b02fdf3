import { quantile } from "../statistics.ts";
import { Connection } from "./connection.ts";
import { requestBytes, UniqueText, type Target } from "./request.ts";

/** A small request that is sent again and again. */
export interface JsonCall {
  readonly target: Target;
  /** With `uniqueMark` where each request shall differ. */
  readonly body: string;
  /** The status that each answer must have; absent: 200. */
  readonly status?: number;
  /** How long each answer's body has to be; a shorter or a longer one is a failure. null: of any length. */
  readonly answerBytes: number | null;
}

export interface JsonLoadResult {
  readonly answered: number;
  readonly failed: number;
  readonly firstFailure: string | null;
  /** From when a request was to be sent to its answer's last byte. */
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

/** Sends one request; resolves when it is over, with false where the connection can't be used again. */
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

/** Closed loop: each connection sends its next request when the answer to its last one is there. */
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

/** Open loop: requests leave at their times, whether or not earlier ones are answered. */
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
    // What is late leaves at once, and its latency counts from when it was due; the first is due now.
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
