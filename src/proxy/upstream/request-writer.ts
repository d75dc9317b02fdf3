import type { Socket } from "node:net";
import type { UpstreamCall } from "../../exchange/exchange.ts";

/** A request up to this size goes to the socket in one piece, head and body. */
const onePieceBytesMax = 16 * 1024;
/** The body of a larger one goes in slices, so that a large body never waits in the socket's buffer. */
const sliceBytes = 256 * 1024;
/** Methods whose requests say that they have no body. */
const payloadMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * Writes a request. Returns what is left of its body, to be written when the socket has room again; null if all
 * of it is written.
 */
export function writeRequest(socket: Socket, host: string, call: UpstreamCall): BodyRest | null {
  const { body } = call;
  let length = 0;
  for (const piece of body) length += piece.length;
  const head = headOf(host, call, length);
  if (head.length + length <= onePieceBytesMax) {
    const bytes = Buffer.allocUnsafe(head.length + length);
    let at = bytes.write(head, 0, "latin1");
    for (const piece of body) {
      bytes.set(piece, at);
      at += piece.length;
    }
    socket.write(bytes);
    return null;
  }
  const rest = new BodyRest(body);
  socket.cork();
  socket.write(head, "latin1");
  const isWritten = rest.writeTo(socket);
  socket.uncork();
  return isWritten ? null : rest;
}

/** One character for each byte (`sendable`). */
function headOf(host: string, { method, target, headers }: UpstreamCall, length: number): string {
  let head = `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (let i = 0; i + 1 < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  if (length > 0 || payloadMethods.has(method)) head += `content-length: ${length}\r\n`;
  return `${head}\r\n`;
}

/** The part of a request's body that is not written yet. */
export class BodyRest {
  readonly #pieces: readonly Uint8Array[];
  #piece = 0;
  #at = 0;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
  }

  /** Writes until the socket's buffer is full. True if all of it is written. */
  writeTo(socket: Socket): boolean {
    let piece = this.#pieces[this.#piece];
    while (piece !== undefined) {
      const slice = piece.subarray(this.#at, this.#at + sliceBytes);
      this.#at += slice.length;
      if (this.#at === piece.length) {
        piece = this.#pieces[++this.#piece];
        this.#at = 0;
      }
      if (slice.length > 0 && !socket.write(slice)) return piece === undefined;
    }
    return true;
  }
}
