import { Connection } from "./connection.ts";
import { requestBytes, UniqueText, type Target } from "./request.ts";

/** One answer, whole. */
export interface Answer {
  readonly headBytes: number;
  readonly body: string;
}

/** One request on a connection of its own. Rejects where it is not answered with 200. */
export async function request(target: Target, body: string): Promise<Answer> {
  const connection = await Connection.open(target.port);
  const bytes = requestBytes(target, new UniqueText(body).next());
  try {
    return await new Promise((resolve, reject) => {
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
          const text = Buffer.concat(pieces).toString();
          if (status === 200) resolve({ headBytes, body: text });
          else reject(new Error(`status ${status}: ${text.slice(0, 200)}`));
        },
        failed: reject,
      });
    });
  } finally {
    connection.close();
  }
}
