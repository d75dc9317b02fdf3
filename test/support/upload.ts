import { connect, type Socket } from "node:net";

/**
 * The result for a client that sends its whole request before it reads a byte, and then reads to the end.
 */
export interface Uploaded {
  /** latin1. */
  readonly text: string;
  /** Why the connection broke, such as `ECONNRESET`; null: the server has closed it normally. */
  readonly error: string | null;
}

/** Sends `head` and then `body` at once. It reads nothing before. */
export async function upload(url: string, head: string, body: Iterable<Buffer>): Promise<Uploaded> {
  const socket = await opened(url);
  const received: Buffer[] = [];
  let error: string | null = null;
  socket.on("error", (cause: NodeJS.ErrnoException) => (error = cause.code ?? cause.message));
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.pause();
  socket.write(head);
  for (const piece of body) {
    if (socket.destroyed) break;
    if (!socket.write(piece)) await drained(socket);
  }
  socket.on("data", (bytes: Buffer) => received.push(bytes));
  socket.resume();
  await closed;
  return { text: Buffer.concat(received).toString("latin1"), error };
}

/** `bytes` of filling, in pieces. */
export function* filling(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  for (let left = bytes; left > 0; left -= piece.length) {
    yield left < piece.length ? piece.subarray(0, left) : piece;
  }
}

/** The same bytes in chunked encoding, with the last chunk. */
export function* chunked(bytes: number): Generator<Buffer> {
  for (const piece of filling(bytes)) {
    yield Buffer.concat([
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from("\r\n"),
    ]);
  }
  yield Buffer.from("0\r\n\r\n");
}

function opened(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once("error", reject);
    socket.once("connect", () => resolve(socket));
  });
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      socket.off("drain", go).off("close", go);
      resolve();
    };
    socket.on("drain", go).on("close", go);
  });
}
