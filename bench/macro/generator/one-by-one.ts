import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./connection.ts";
import { requestBytes, UniqueText, type Target } from "./request.ts";

export interface Latencies {
  /** From the request's last byte to the body's first byte, one value for each request. */
  readonly firstByteMs: readonly number[];
  /** From the request's last byte to the body's last byte. */
  readonly endMs: readonly number[];
}

/**
 * Sends one request at a time over one connection, each `pauseMs` after the end of the previous one,
 * until the number of requests or the time is reached. Rejects if a status is not 200.
 */
export async function oneByOne(
  { target, body }: { readonly target: Target; readonly body: string },
  most: { readonly requests: number; readonly ms: number },
  pauseMs: number,
): Promise<Latencies> {
  const texts = new UniqueText(body);
  const connection = await Connection.open(target.port);
  const firstByteMs: number[] = [];
  const endMs: number[] = [];
  const overMs = performance.now() + most.ms;
  while (endMs.length < most.requests && performance.now() < overMs) {
    const latency = await timed(connection, requestBytes(target, texts.next()));
    firstByteMs.push(latency.firstByteMs);
    endMs.push(latency.endMs);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  connection.close();
  return { firstByteMs, endMs };
}

function timed(
  connection: Connection,
  bytes: Buffer,
): Promise<{ readonly firstByteMs: number; readonly endMs: number }> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let firstByteMs: number | null = null;
    const begunMs = performance.now();
    connection.send(bytes, {
      head: (code) => (status = code),
      body: () => (firstByteMs ??= performance.now() - begunMs),
      end: () => {
        const endMs = performance.now() - begunMs;
        if (status !== 200) return reject(new Error(`status ${status}`));
        resolve({ firstByteMs: firstByteMs ?? endMs, endMs });
      },
      failed: reject,
    });
  });
}
