import { monotonicUs } from "../provider/answers.ts";
import { quantile } from "../statistics.ts";
import { Connection, type Exchange } from "./connection.ts";
import { EventReader } from "./event-reader.ts";
import { requestBytes, type Target } from "./request.ts";

export interface StreamsResult {
  /** Streams that came to their end, with every event. */
  readonly whole: number;
  readonly failed: number;
  readonly firstFailure: string | null;
  readonly events: number;
  /** Events that came in a read of the socket with no other. */
  readonly alone: number;
  /** From the provider's write to the generator's read. */
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
}

/** Opens so many streams at once and reads them to their ends. */
export async function readStreams(
  target: Target,
  body: string,
  streams: number,
  eventsEach: number,
): Promise<StreamsResult> {
  const delaysMs: number[] = [];
  const failures: string[] = [];
  const sums = { whole: 0, events: 0, alone: 0 };
  await Promise.all(
    Array.from({ length: streams }, async () => {
      const reader = new EventReader((sentUs) => delaysMs.push((monotonicUs() - sentUs) / 1_000));
      const connection = await Connection.open(target.port);
      const failure = await read(connection, requestBytes(target, body), reader);
      connection.close();
      sums.events += reader.events;
      sums.alone += reader.alone;
      if (failure !== null) failures.push(failure);
      else if (reader.events !== eventsEach || !reader.sawEnd) {
        failures.push(`${reader.events} of ${eventsEach} events, end ${reader.sawEnd}`);
      } else sums.whole += 1;
    }),
  );
  const none = delaysMs.length === 0;
  return {
    ...sums,
    failed: failures.length,
    firstFailure: failures[0] ?? null,
    delayP50Ms: none ? NaN : quantile(delaysMs, 0.5),
    delayP99Ms: none ? NaN : quantile(delaysMs, 0.99),
  };
}

/** What went wrong, or null. */
function read(connection: Connection, bytes: Buffer, reader: EventReader): Promise<string | null> {
  return new Promise((resolve) => {
    let status = 0;
    const exchange: Exchange = {
      arrived: () => reader.newRead(),
      head: (code) => (status = code),
      body: (piece) => reader.read(piece),
      end: () => {
        reader.newRead();
        resolve(status === 200 ? null : `status ${status}`);
      },
      failed: (error) => resolve(error.message),
    };
    connection.send(bytes, exchange);
  });
}
