import { request, type Agent, type ClientRequest, type IncomingMessage } from "node:http";

/** When a client leaves: while it uploads, while it waits, or while it reads. */
export interface Leave {
  readonly while: "uploading" | "waiting" | "reading";
  readonly afterMs: number;
}

export interface Ask {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The body goes in pieces, with pauses. */
  readonly slowUpload?: boolean;
  /** The answer is read in pieces, with pauses. */
  readonly slowReading?: boolean;
  readonly leave?: Leave;
}

/** What a client has seen. */
export interface Seen {
  /** 0: no answer came. */
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** The beginning of the body. */
  readonly text: string;
  readonly bytes: number;
  /** The answer came to its end. */
  readonly whole: boolean;
  /** The client left on purpose. */
  readonly left: boolean;
}

const textBytesMax = 256 * 1024;
const slowPieces = 8;
const slowPauseMs = 40;

/** One request over a kept connection, as politely or rudely as asked. Never rejects. */
export async function askOver(agent: Agent, origin: string, ask: Ask): Promise<Seen> {
  for (;;) {
    const seen = await askOnce(agent, origin, ask);
    // A kept connection that the server gives up just then: every client asks again.
    const isRaced = seen.status === 0 && !seen.left && seen.isReused;
    if (!isRaced) return seen;
  }
}

function askOnce(
  agent: Agent,
  origin: string,
  ask: Ask,
): Promise<Seen & { readonly isReused: boolean }> {
  return new Promise((resolve) => {
    const url = new URL(origin);
    const method = ask.method ?? (ask.body === undefined ? "GET" : "POST");
    const sent = request({
      agent,
      host: url.hostname,
      port: url.port,
      method,
      path: ask.path,
      headers: { ...ask.headers, ...bodyHeaders(ask) },
    });
    const seen = { status: 0, headers: {}, bytes: 0, whole: false, left: false };
    const chunks: Buffer[] = [];
    const over = (): void => {
      const text = Buffer.concat(chunks).toString();
      resolve({ ...seen, text, isReused: sent.reusedSocket });
    };
    const leave = (phase: Leave["while"]): void => {
      if (ask.leave?.while !== phase) return;
      setTimeout(() => {
        if (sent.destroyed) return;
        seen.left = true;
        sent.destroy();
      }, ask.leave.afterMs);
    };
    sent.on("response", (answer) => {
      seen.status = answer.statusCode ?? 0;
      seen.headers = answer.headers;
      leave("reading");
      answer.on("data", (chunk: Buffer) => {
        seen.bytes += chunk.length;
        if (seen.bytes <= textBytesMax) chunks.push(chunk);
        if (ask.slowReading === true) {
          answer.pause();
          setTimeout(() => answer.resume(), slowPauseMs);
        }
      });
      answer.on("end", () => (seen.whole = answer.complete));
      answer.on("error", () => undefined);
      // The request's own close may come while the end of the answer is still to be read.
      answer.on("close", over);
    });
    sent.on("error", () => undefined);
    sent.on("close", () => {
      if (seen.status === 0) over();
    });
    leave("uploading");
    void upload(sent, ask).then(() => leave("waiting"));
  });
}

function bodyHeaders({ body, headers }: Ask): Readonly<Record<string, string>> {
  if (body === undefined || "transfer-encoding" in headers) return {};
  return { "content-length": String(body.length) };
}

async function upload(sent: ClientRequest, { body, slowUpload, leave }: Ask): Promise<void> {
  if (body === undefined) {
    sent.end();
    return;
  }
  const isPieced = slowUpload === true || leave?.while === "uploading";
  const size = isPieced ? Math.ceil(body.length / slowPieces) : body.length;
  for (let at = 0; at < body.length && !sent.destroyed; at += size) {
    sent.write(body.subarray(at, at + size));
    if (isPieced) await new Promise((resolve) => setTimeout(resolve, slowPauseMs));
  }
  if (!sent.destroyed) sent.end();
}
