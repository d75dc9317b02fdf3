import { randomUUID } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dataEvent } from "../support/scripted-provider.ts";
import { namedEvent } from "../support/wires.ts";

/** A response that a provider has made, and what it has used: no other answer of a thousand has used the same. */
export interface MadeResponse {
  readonly id: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A provider that outlives the gateway's crashes; every answer has used other tokens. */
export class PaidProvider {
  readonly origin: string;
  /** On the responses wire, in their order. */
  readonly responses: MadeResponse[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<PaidProvider> {
    const holder: { provider?: PaidProvider } = {};
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const { stream = false } = JSON.parse(body || "{}") as { readonly stream?: boolean };
        if (request.method === "GET") sendJson(response, { object: "response" });
        else if (request.url === "/v1/responses") holder.provider?.respond(response, stream);
        else if (stream) void sendStream(response);
        else sendJson(response, { id: "c", choices: [], usage: usage() });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (holder.provider = new PaidProvider(server));
  }

  respond(response: ServerResponse, stream: boolean): void {
    const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage();
    const id = `resp_${this.responses.length}_${randomUUID()}`;
    this.responses.push({ id, inputTokens, outputTokens });
    const made = {
      id,
      object: "response",
      status: "completed",
      output: [],
      usage: {
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      },
    };
    if (!stream) return sendJson(response, made);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(namedEvent("response.created", { response: { id } }));
    response.end(namedEvent("response.completed", { response: made }));
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

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
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
