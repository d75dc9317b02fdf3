import { monotonicUs } from "../provider/answers.ts";
import { quantile } from "../statistics.ts";
import { Connection } from "./connection.ts";
import { EventReader } from "./event-reader.ts";
import { requestBytes, type Target } from "./request.ts";

export interface StreamsResult {
  /** Streams that came to their end with all events. */
  readonly whole: number;
  readonly failed: number;
  readonly firstFailure: string | null;
  readonly events: number;
  /** Events that came alone in a read of the socket. */
  readonly alone: number;
  /** From the provider's write to the generator's read. */
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
}

/**
 * The most streams that wait for their head at the same time. Many streams should be open, but not
 * begin at the same moment.
 */
const openingMax = 16;

/** Opens this many streams, one after another, and reads them to their ends. */
export async function readStreams(
  target: Target,
  body: string,
  streams: number,
  eventsEach: number,
): Promise<StreamsResult> {
  const delaysMs: number[] = [];
  const failures: string[] = [];
  const sums = { whole: 0, events: 0, alone: 0 };
  const bytes = requestBytes(target, body);
  const ends: Promise<void>[] = [];
  let left = streams;
  const openInTurn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const reader = new EventReader((sentUs) => delaysMs.push((monotonicUs() - sentUs) / 1_000));
      const connection = await Connection.open(target.port);
      const { begun, ended } = read(connection, bytes, reader);
      ends.push(
        ended.then((failure) => {
          connection.close();
          sums.events += reader.events;
          sums.alone += reader.alone;
          if (failure !== null) failures.push(failure);
          else if (reader.events !== eventsEach || !reader.sawEnd) {
            failures.push(`${reader.events} of ${eventsEach} events, end ${reader.sawEnd}`);
          } else sums.whole += 1;
        }),
      );
      await begun;
    }
  };
  await Promise.all(Array.from({ length: openingMax }, openInTurn));
  await Promise.all(ends);
  const none = delaysMs.length === 0;
  return {
    ...sums,
    failed: failures.length,
    firstFailure: failures[0] ?? null,
    delayP50Ms: none ? NaN : quantile(delaysMs, 0.5),
    delayP99Ms: none ? NaN : quantile(delaysMs, 0.99),
  };
}

interface Reading {
  /** Resolves when the head has come, or when nothing will come. */
  readonly begun: Promise<unknown>;
  /** The fault, or null. */
  readonly ended: Promise<string | null>;
}

function read(connection: Connection, bytes: Buffer, reader: EventReader): Reading {
  const head = Promise.withResolvers<number>();
  const end = Promise.withResolvers<string | null>();
  let status = 0;
  let words = "";
  connection.send(bytes, {
    arrived: () => reader.newRead(),
    head: (code) => {
      status = code;
      head.resolve(code);
    },
    body: (piece) => {
      if (status === 200) reader.read(piece);
      else words += piece.toString();
    },
    end: () => {
      reader.newRead();
      end.resolve(status === 200 ? null : `status ${status}: ${words.slice(0, 200)}`);
    },
    failed: (error) => end.resolve(error.message),
  });
  return { begun: Promise.race([head.promise, end.promise]), ended: end.promise };
}
