import { Connection } from "./connection.ts";
import { requestBytes, UniqueText, type Target } from "./request.ts";

export interface Latencies {
  /** From the request's last byte to the body's first, one a round. */
  readonly firstByteMs: readonly number[];
  /** To its last. */
  readonly endMs: readonly number[];
}

/**
 * One request at a time, in turn to each of several targets over a connection of its own; so that all
 * of them meet the same weather, and a difference of their medians is theirs. Rejects where one is not
 * answered with 200.
 */
export async function inTurn(
  calls: readonly { readonly target: Target; readonly body: string }[],
  rounds: number,
): Promise<readonly Latencies[]> {
  const lines = await Promise.all(
    calls.map(async ({ target, body }) => ({
      target,
      texts: new UniqueText(body),
      connection: await Connection.open(target.port),
      firstByteMs: new Array<number>(),
      endMs: new Array<number>(),
    })),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < lines.length; turn += 1) {
      // Each begins a round once in a while: nobody always follows the same one.
      const line = lines[(round + turn) % lines.length];
      if (line === undefined) continue;
      const bytes = requestBytes(line.target, line.texts.next());
      const { firstByteMs, endMs } = await timed(line.connection, bytes);
      line.firstByteMs.push(firstByteMs);
      line.endMs.push(endMs);
    }
  }
  for (const { connection } of lines) connection.close();
  return lines.map(({ firstByteMs, endMs }) => ({ firstByteMs, endMs }));
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
