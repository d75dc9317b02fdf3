import { Connection } from "./connection.ts";
import { EventReader } from "./event-reader.ts";
import { answered } from "./once.ts";
import { requestBytes, type Target } from "./request.ts";

/** Connections that stay open from one task to the next. */
const idle: Connection[] = [];

/** Opens connections, gets one answer on each, and then leaves them idle. */
export async function holdIdle(target: Target, body: string, count: number): Promise<void> {
  const bytes = requestBytes(target, body);
  for (let i = 0; i < count; i += 1) {
    const connection = await Connection.open(target.port);
    await answered(connection, bytes);
    idle.push(connection);
  }
}

/** Closes them; returns how many were still open. */
export function releaseIdle(): Promise<number> {
  const open = idle.filter((connection) => connection.isOpen).length;
  for (const connection of idle.splice(0)) connection.close();
  return Promise.resolve(open);
}

interface Stalled {
  readonly connection: Connection;
  readonly events: EventReader;
  readonly ended: Promise<string | null>;
}

const stalled: Stalled[] = [];

/** Opens streams and stops reading them when their heads have come. */
export async function stallStreams(target: Target, body: string, count: number): Promise<void> {
  const bytes = requestBytes(target, body);
  for (let i = 0; i < count; i += 1) {
    const connection = await Connection.open(target.port);
    const events = new EventReader(() => {});
    await new Promise<void>((begun, failed) => {
      const ended = new Promise<string | null>((resolve) => {
        connection.send(bytes, {
          head: (status) => {
            if (status !== 200) return failed(new Error(`status ${status}`));
            connection.pause();
            begun();
          },
          body: (piece) => events.read(piece),
          end: () => resolve(null),
          failed: (error) => {
            failed(error);
            resolve(error.message);
          },
        });
      });
      stalled.push({ connection, events, ended });
    });
  }
}

/** Reads them to their ends; returns how many had all of their events. */
export async function resumeStreams(eventsEach: number): Promise<number> {
  const all = stalled.splice(0);
  for (const { connection } of all) connection.resume();
  let whole = 0;
  for (const { connection, events, ended } of all) {
    if ((await ended) === null && events.events === eventsEach && events.sawEnd) whole += 1;
    connection.close();
  }
  return whole;
}

/** Closes the streams without reading them to their ends. */
export function dropStreams(): Promise<void> {
  for (const { connection } of stalled.splice(0)) connection.close();
  return Promise.resolve();
}
