import { Connection } from "./connection.ts";
import { requestBytes, UniqueText, type Target } from "./request.ts";

/** One complete answer. */
export interface Answer {
  readonly headBytes: number;
  readonly body: string;
}

/** Sends one request on a connection of its own. Rejects if the status is not 200. */
export async function request(target: Target, body: string): Promise<Answer> {
  const connection = await Connection.open(target.port);
  try {
    return await answered(connection, requestBytes(target, new UniqueText(body).next()));
  } finally {
    connection.close();
  }
}

/** Sends one request on a connection. Rejects if the status is not 200. */
export function answered(connection: Connection, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let headBytes = 0;
    const pieces: Buffer[] = [];
    connection.send(bytes, {
      head: (code, head) => {
        status = code;
        headBytes = head.length + "\r\n\r\n".length;
      },
      body: (piece) => pieces.push(Buffer.from(piece)),
      end: () => {
        const body = Buffer.concat(pieces).toString();
        if (status === 200) resolve({ headBytes, body });
        else reject(new Error(`status ${status}: ${body.slice(0, 200)}`));
      },
      failed: reject,
    });
  });
}

/** Sends one request after another on one connection. Rejects if a status is not 200. */
export async function inSequence(target: Target, bodies: readonly string[]): Promise<void> {
  const connection = await Connection.open(target.port);
  try {
    for (const body of bodies) await answered(connection, requestBytes(target, body));
  } finally {
    connection.close();
  }
}
