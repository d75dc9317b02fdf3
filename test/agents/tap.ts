import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** One exchange between a client and the gateway, as the wire had it. */
export interface TappedExchange {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Milliseconds since the tap opened. */
  readonly atMs: number;
  /** null: the gateway gave no answer. */
  status: number | null;
  answerHeaders: Readonly<Record<string, string | string[] | undefined>>;
  readonly answer: Buffer[];
  /** Who ended the answer; null: it runs. */
  end: "complete" | "client left" | "gateway broke off" | null;
}

/** An answer in the gateway's place; undefined: the gateway answers. */
export type Intercept = (
  request: { readonly method: string; readonly url: string },
  nth: number,
) =>
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | undefined;

export interface Tap {
  readonly url: string;
  readonly exchanges: readonly TappedExchange[];
  close(): Promise<void>;
}

/** Stands between a client and the gateway, passes every byte on as it comes, and keeps them. */
export async function startTap(gatewayUrl: string, intercept?: Intercept): Promise<Tap> {
  const exchanges: TappedExchange[] = [];
  const begun = performance.now();
  const { hostname, port } = new URL(gatewayUrl);

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "", url = "", rawHeaders } = incoming;
    const exchange: TappedExchange = {
      ...{ method, url, rawHeaders, body: Buffer.concat(chunks) },
      ...{
        atMs: performance.now() - begun,
        status: null,
        answerHeaders: {},
        answer: [],
        end: null,
      },
    };
    exchanges.push(exchange);
    const instead = intercept?.(exchange, exchanges.length - 1);
    if (instead !== undefined) {
      exchange.status = instead.status;
      exchange.answer.push(Buffer.from(instead.body));
      exchange.end = "complete";
      response.writeHead(instead.status, instead.headers).end(instead.body);
      return;
    }
    const onward = send({ hostname, port, method, path: url, headers: framed(incoming, exchange) });
    response.on("close", () => {
      exchange.end ??= "client left";
      onward.destroy();
    });
    onward.on("error", () => {
      exchange.end ??= "gateway broke off";
      response.destroy();
    });
    onward.on("response", (answer) => {
      exchange.status = answer.statusCode ?? null;
      exchange.answerHeaders = answer.headers;
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.on("data", (bytes: Buffer) => {
        exchange.answer.push(bytes);
        response.write(bytes);
      });
      answer.on("end", () => {
        exchange.end ??= "complete";
        response.end();
      });
      answer.on("error", () => response.destroy());
    });
    onward.end(exchange.body);
  }

  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The client's headers; a body that came in chunks goes on with its length. */
function framed(incoming: IncomingMessage, { body }: TappedExchange): readonly string[] {
  const { rawHeaders } = incoming;
  const kept = rawHeaders.flatMap((name, i) => {
    if (i % 2 === 1 || /^(transfer-encoding|content-length|connection)$/i.test(name)) return [];
    return [name, rawHeaders[i + 1] ?? ""];
  });
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
  return hasBody ? [...kept, "Content-Length", String(body.length)] : kept;
}

/** The value of a header in a raw list, or undefined. */
export function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  const at = rawHeaders.findIndex((header, i) => i % 2 === 0 && header.toLowerCase() === name);
  return at < 0 ? undefined : rawHeaders[at + 1];
}
