import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The provider's next answer: a JSON body, or the text of an SSE stream. `type` null: no content type.
 */
export type Script =
  | { readonly json: unknown; readonly status?: number }
  | { readonly raw: string; readonly type?: string | null }
  | {
      readonly sse: readonly string[];
      readonly cut?: true;
      readonly pauseMs?: number;
      readonly type?: string | null;
      /** Awaited behind the first event. */ readonly rest?: Promise<unknown>;
    };

/** A provider that answers each request with the test's script for it. */
export class ScriptedProvider {
  readonly origin: string;
  /** Bodies received. */
  readonly received: string[] = [];
  /** Methods and paths received, such as `GET /v1/responses/resp_1`. */
  readonly targets: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  script: Script = { json: {} };
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<ScriptedProvider> {
    const holder: { provider?: ScriptedProvider } = {};
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        holder.provider?.received.push(body);
        holder.provider?.targets.push(`${request.method} ${request.url}`);
        holder.provider?.headers.push(request.headers);
        void send(holder.provider?.script ?? { json: {} });
      });
      const send = async (script: Script): Promise<void> => {
        if (!("sse" in script)) {
          const text = "raw" in script ? script.raw : JSON.stringify(script.json);
          const type = "type" in script ? script.type : "application/json";
          response.writeHead("status" in script ? (script.status ?? 200) : 200, headersOf(type));
          response.end(text);
          return;
        }
        response.writeHead(
          200,
          headersOf(script.type === undefined ? "text/event-stream" : script.type),
        );
        for (const event of script.sse) {
          response.write(event);
          await script.rest;
          if (script.pauseMs !== undefined) {
            await new Promise((resolve) => setTimeout(resolve, script.pauseMs));
          }
        }
        if (script.cut === true) response.destroy();
        else response.end();
      };
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (holder.provider = new ScriptedProvider(server));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

function headersOf(type: string | null | undefined): Record<string, string> {
  return typeof type === "string" ? { "content-type": type } : {};
}

/** One `data:` event. */
export function dataEvent(payload: unknown): string {
  return `data: ${typeof payload === "string" ? payload : JSON.stringify(payload)}\n\n`;
}
