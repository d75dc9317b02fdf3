import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dataEvent } from "../support/scripted-provider.ts";

/** A provider that outlives the gateway's crashes; every answer has used other tokens. */
export class PaidProvider {
  readonly origin: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<PaidProvider> {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const { stream } = JSON.parse(body) as { readonly stream?: boolean };
        if (stream === true) void sendStream(response);
        else {
          const json = JSON.stringify({ id: "c", choices: [], usage: usage() });
          response.writeHead(200, { "content-type": "application/json" }).end(json);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new PaidProvider(server);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

let answers = 0;
function usage() {
  answers += 1;
  const [prompt_tokens, completion_tokens] = [1 + (answers % 97), 1 + (answers % 89)];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

async function sendStream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let events = 0; events < 5; events += 1) {
    response.write(dataEvent({ choices: [{ delta: { content: "Paris" } }] }));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  response.write(dataEvent({ choices: [], usage: usage() }));
  response.end(dataEvent("[DONE]"));
}
