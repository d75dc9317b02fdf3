import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { chatJson, chatStream, readChat } from "./chat.ts";
import { fieldsOf, newId, textOf, type Fields } from "./json.ts";
import { messagesJson, messagesStream, readMessages } from "./messages.ts";
import { readResponses, responsesJson, responsesStream } from "./responses.ts";
import { nextTurn, type Conversation, type Scenarios, type Step, type Turn } from "./script.ts";

/** A request as it reached the stub, and the bytes that it was answered with. */
export interface StubExchange {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Grows while the answer is written. */
  readonly answer: Buffer[];
}

/** An answer in place of the model's, as a provider that fails gives it. */
export interface Failure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface StubOptions {
  readonly scenarios: Scenarios;
  /** How long a stream stays open behind its terminal event, milliseconds. */
  readonly lingerMs?: number;
  /** Fails a model request; undefined: it is answered. */
  readonly fail?: (conversation: Conversation, nth: number) => Failure | undefined;
}

export interface Stub {
  readonly origin: string;
  readonly port: number;
  readonly received: readonly StubExchange[];
  close(): Promise<void>;
}

/** A provider that speaks three wires and says what a script tells it to. Ids differ from run to run. */
export async function startStub(options: StubOptions): Promise<Stub> {
  const received: StubExchange[] = [];
  const model = new ScriptedModel(options);
  const server = createServer((request, response) => {
    exchange(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    const { method = "", url = "", rawHeaders } = request;
    const answer: Buffer[] = [];
    received.push({ method, url, rawHeaders, body, answer });
    const { status, headers, parts } = model.answer(
      method,
      url,
      decoded(body, request.headers["content-encoding"]),
    );
    response.writeHead(status, headers);
    for (const part of parts) {
      const bytes = Buffer.from(part);
      answer.push(bytes);
      if (!response.write(bytes)) await once(response, "drain");
    }
    if (options.lingerMs !== undefined && parts.length > 1) {
      const left = once(response, "close").catch(() => undefined);
      await Promise.race([left, new Promise((done) => setTimeout(done, options.lingerMs))]);
    }
    response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly string[];
}

function json(body: string, status = 200, headers = {}): Answer {
  return { status, headers: { "content-type": "application/json", ...headers }, parts: [body] };
}

function stream(parts: readonly string[]): Answer {
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    parts,
  };
}

class ScriptedModel {
  readonly #options: StubOptions;
  /** What a stored answer stands for, by its id. */
  readonly #stored = new Map<string, readonly Step[]>();
  #asked = 0;
  #toldLarge = false;

  constructor(options: StubOptions) {
    this.#options = options;
  }

  answer(method: string, url: string, body: Buffer): Answer {
    const { pathname } = new URL(url, "http://stub");
    if (method === "GET" && pathname.endsWith("/models")) return json(modelList);
    if (method !== "POST") return json("{}", method === "HEAD" ? 200 : 404);
    const fields = fieldsOf(parsed(body));
    if (pathname.endsWith("/count_tokens")) {
      return json(JSON.stringify({ input_tokens: Math.ceil(body.length / 4) }));
    }
    if (pathname.endsWith("/messages")) {
      return this.#message(fields, body.length);
    }
    if (pathname.endsWith("/chat/completions")) {
      return this.#turn(readChat(fields, body.length), chatJson, chatStream);
    }
    if (pathname.endsWith("/responses")) return this.#response(fields, body.length);
    return json(JSON.stringify({ error: { type: "not_found_error", message: pathname } }), 404);
  }

  /** A message goes on with the thread of another one, whose steps are not sent again. */
  #message(fields: Fields, bytes: number): Answer {
    const previous = textOf(fieldsOf(fields["thread"])["previous_message_id"]);
    const asked = readMessages(fields, bytes, this.#stored.get(previous) ?? []);
    const id = newId("msg_01", 22);
    this.#stored.set(id, [...asked.steps, { kind: "assistant" }]);
    return this.#turn(
      asked,
      (conversation, turn) => messagesJson(conversation, turn, id),
      (conversation, turn) => messagesStream(conversation, turn, id),
    );
  }

  #response(fields: Fields, bytes: number): Answer {
    const before = this.#stored.get(textOf(fields["previous_response_id"])) ?? [];
    const asked = readResponses(fields, bytes, before);
    const id = newId("resp_", 48);
    this.#stored.set(id, [...asked.steps, { kind: "assistant" }]);
    return this.#turn(
      asked,
      (conversation, turn) => responsesJson(conversation, turn, id),
      (conversation, turn) => responsesStream(conversation, turn, id),
    );
  }

  /** A large count is told once: what has been summarized is short. */
  #once(conversation: Conversation): Turn {
    const turn = nextTurn(conversation, this.#options.scenarios);
    if (turn.inputTokens === undefined) return turn;
    if (this.#toldLarge) return lastWord;
    this.#toldLarge = true;
    return turn;
  }

  #turn<T extends Conversation>(
    conversation: T,
    whole: (conversation: T, turn: Turn) => string,
    streamed: (conversation: T, turn: Turn) => readonly string[],
  ): Answer {
    const failure = this.#options.fail?.(conversation, this.#asked);
    this.#asked += 1;
    if (failure !== undefined) {
      return json(JSON.stringify(failure.body), failure.status, failure.headers);
    }
    const turn = this.#asked > requestsMax ? lastWord : this.#once(conversation);
    return conversation.stream
      ? stream(streamed(conversation, turn))
      : json(whole(conversation, turn));
  }
}

/** An agent that comes back for ever, as after a summary that it takes for nothing, is sent home. */
const requestsMax = 60;
const lastWord: Turn = { text: "That is all." };

const modelList = JSON.stringify({
  object: "list",
  data: ["gpt-6.1-sol", "claude-sonnet-5-5"].map((id) => ({
    id,
    object: "model",
    type: "model",
    display_name: id,
    created: 1_760_000_000,
    created_at: "2025-10-09T00:00:00Z",
    owned_by: "stub",
  })),
  has_more: false,
  first_id: "gpt-6.1-sol",
  last_id: "claude-sonnet-5-5",
});

/** A body as it was before `content-encoding`. */
export function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "gzip") return gunzipSync(body);
  if (encoding === "br") return brotliDecompressSync(body);
  if (encoding === "deflate") return inflateSync(body);
  if (encoding === "zstd") return zstdDecompressSync(body);
  return body;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
