import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dataEvent } from "../support/scripted-provider.ts";
import { namedEvent } from "../support/wires.ts";

/** What an answer has used. No two answers have used the same. */
export interface Answered {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The name of an answer in the books: what it has used. */
export function nameOf({ inputTokens, outputTokens }: Answered): string {
  return `${inputTokens} ${outputTokens}`;
}

/** Primes: half a million answers have names of their own. Less than what clients ask for, so holds cover them. */
const [inputTokensMax, outputTokensMax] = [131, 3_989];

/** A provider that counts what it has answered to the end, on the wires of both SDKs. */
export class CountingProvider {
  readonly origin: string;
  /** Answers that were sent whole. */
  readonly answered = new Map<string, Answered>();
  readonly #server: Server;
  #begun = 0;

  private constructor(server: Server) {
    this.#server = server;
    const { address, port } = server.address() as AddressInfo;
    this.origin = `http://${address}:${port}`;
  }

  static async start(host: string): Promise<CountingProvider> {
    const holder: { provider?: CountingProvider } = {};
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const { stream = false, model } = JSON.parse(body || "{}") as Asked;
        const isChat = request.url === "/v1/chat/completions";
        const wire = isChat ? chat : messages;
        if (model === "left") void answerSlowly(response, wire);
        else void holder.provider?.answer(response, wire, stream);
      });
    });
    // It ends no connection that a gateway may be about to use.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return (holder.provider = new CountingProvider(server));
  }

  async answer(response: ServerResponse, wire: Wire, isStream: boolean): Promise<void> {
    this.#begun += 1;
    const used = {
      inputTokens: 1 + (this.#begun % inputTokensMax),
      outputTokens: 1 + (this.#begun % outputTokensMax),
    };
    const sent = (error?: Error | null): void => {
      if (!error) this.answered.set(nameOf(used), used);
    };
    if (!isStream) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(wire.json(used)), sent);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const events = wire.events(used);
    for (const [i, event] of events.entries()) {
      // A gateway does not wait for long for the end of a stream that has had its last event.
      response.write(event, i === events.length - 1 ? sent : undefined);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    response.end();
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** What a client asks that may be gone before the answer. Nobody knows what came of it, so it has no name. */
async function answerSlowly(response: ServerResponse, wire: Wire): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(wire.json({ inputTokens: 1, outputTokens: 1 })));
}

interface Asked {
  readonly stream?: boolean;
  readonly model?: string;
}

interface Wire {
  readonly json: (used: Answered) => object;
  readonly events: (used: Answered) => readonly string[];
}

const completion = { id: "c", created: 1, model: "m" };
const chat: Wire = {
  json: (used) => ({
    ...{ ...completion, object: "chat.completion", usage: chatUsage(used) },
    choices: [
      { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Paris" } },
    ],
  }),
  events: (used) => [
    ...["Par", "is"].map((content) => chunk({ choices: [{ index: 0, delta: { content } }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage: chatUsage(used) }),
    dataEvent("[DONE]"),
  ],
};

function chunk(more: object): string {
  return dataEvent({ ...completion, object: "chat.completion.chunk", ...more });
}

function chatUsage({ inputTokens, outputTokens }: Answered): object {
  const counts = { prompt_tokens: inputTokens, completion_tokens: outputTokens };
  return { ...counts, total_tokens: inputTokens + outputTokens };
}

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  stop_sequence: null,
};
const messages: Wire = {
  json: ({ inputTokens, outputTokens }) => ({
    ...{ ...message, stop_reason: "end_turn", content: [{ type: "text", text: "Paris" }] },
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  }),
  events: ({ inputTokens, outputTokens }) => [
    namedEvent("message_start", {
      message: {
        ...{ ...message, stop_reason: null, content: [] },
        usage: { input_tokens: inputTokens, output_tokens: 1 },
      },
    }),
    namedEvent("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    namedEvent("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Paris" } }),
    namedEvent("content_block_stop", { index: 0 }),
    namedEvent("message_delta", {
      ...{ delta: { stop_reason: "end_turn", stop_sequence: null } },
      usage: { output_tokens: outputTokens },
    }),
    namedEvent("message_stop"),
  ],
};
