import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import { AuditApi } from "./audit-api.ts";
import { startGateway, type LogLine, type TestGateway } from "./gateway.ts";
import { KeysApi } from "./keys-api.ts";
import { chatEvents, messagesEvents, sse } from "../pipeline/policy/streamed-texts.ts";
import { RawSocket } from "./raw-socket.ts";
import { startRecorder, type Recorder } from "./recorder.ts";

/** The provider's behaviour for each request. */
export type ProviderAnswer = (response: ServerResponse) => void;

export interface Asked {
  readonly response: Response;
  readonly text: string;
  /** `X-Svc-Cache`. */
  readonly cache: string | null;
  /** Whether the provider was called for it. */
  readonly wasCalled: boolean;
}

export interface Question {
  readonly secret?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A gateway before one provider whose answers the test sets, for requests that use the cache. */
export class CachedGateway {
  readonly gateway: TestGateway;
  readonly api: KeysApi;
  readonly upstream: Recorder;
  readonly orgId: string;
  readonly #answer: { current: ProviderAnswer };

  private constructor(
    gateway: TestGateway,
    upstream: Recorder,
    orgId: string,
    answer: { current: ProviderAnswer },
  ) {
    this.gateway = gateway;
    this.upstream = upstream;
    this.api = new KeysApi(gateway);
    this.orgId = orgId;
    this.#answer = answer;
  }

  /**
   * Each of several `threads` has a cache of its own. `more` are further members of the
   * configuration file.
   */
  static async start(more: object = {}, threads = 1): Promise<CachedGateway> {
    const answer: { current: ProviderAnswer } = { current: (response) => response.end("{}") };
    const upstream = await startRecorder((_request, response) => answer.current(response));
    const account = (name: string): object => ({
      name,
      type: "openai",
      baseUrl: upstream.origin,
      wires: ["chat", "messages"],
      models: ["m", "other"],
    });
    const config = {
      providers: [account("up"), account("two")],
      network: { allowedInternalHosts: ["127.0.0.1"] },
      ...more,
    };
    const gateway = await startGateway({
      config,
      env: { GATEWAY_PROXY_THREADS: String(threads) },
    });
    const orgId = await new KeysApi(gateway).firstOrganization();
    return new CachedGateway(gateway, upstream, orgId, answer);
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.upstream.close();
  }

  /** Sets the provider's answer from the next request on. */
  answers(answer: ProviderAnswer): void {
    this.#answer.current = answer;
  }

  answersJson(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): void {
    this.answers((response) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(body);
    });
  }

  answersStream(events: readonly string[], headers: Readonly<Record<string, string>> = {}): void {
    this.answers((response) => {
      response.writeHead(200, { "content-type": "text/event-stream", ...headers });
      for (const event of events) response.write(event);
      response.end();
    });
  }

  /** Sends `X-Svc-Cache: on` by default. */
  async ask(body: string, question: Question = {}): Promise<Asked> {
    const { secret = this.gateway.key, path = "/v1/chat/completions", headers } = question;
    const calls = this.upstream.received.length;
    const response = await fetch(this.gateway.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "x-svc-cache": "on", ...headers },
      body,
    });
    const text = await response.text();
    const wasCalled = this.upstream.received.length > calls;
    return { response, text, cache: response.headers.get("x-svc-cache"), wasCalled };
  }

  /** The request's line in the log, which is written after the answer was sent. */
  async lineOf({ response }: Asked): Promise<LogLine> {
    const id = response.headers.get("x-svc-request-id");
    const find = (): LogLine | undefined =>
      this.gateway.log.find((line) => line["request_id"] === id && line["msg"] === "request");
    await expect.poll(find).toBeDefined();
    return find() ?? {};
  }

  async key(attributes: object = {}): Promise<string> {
    return (await this.api.key({ orgId: this.orgId, ...attributes })).secret;
  }

  async keyWithPolicy(policy: object): Promise<string> {
    const name = `p${Math.random()}`;
    const body = { orgId: this.orgId, name, ...policy };
    const { id } = await this.api.data(201, "POST", "policies", body);
    return this.key({ securityPolicyId: id });
  }

  /** Another organization with a balance, and a key of it. */
  async organization(attributes: object = {}): Promise<{ id: string; secret: string }> {
    const { id } = await this.api.organization(`o${Math.random()}`, { ...attributes });
    const topUp = { amountUsd: "1", idempotencyKey: "first" };
    await this.api.data(201, "POST", `orgs/${id}/top-ups`, topUp);
    return { id, secret: (await this.api.key({ orgId: id })).secret };
  }

  async balance(): Promise<unknown> {
    return (await this.api.call("GET", `orgs/${this.orgId}/balance`)).body;
  }

  /** The types of all audit events of a request. */
  async eventsOf({ response }: Asked): Promise<readonly string[]> {
    const id = response.headers.get("x-svc-request-id") ?? "";
    const audit = new AuditApi(this.gateway);
    await audit.eventOf(id);
    return (await audit.events(`request_id=${id}&`)).map(({ event_type }) => event_type);
  }
}

/** A request that no other test makes. */
export function chatBody(text: string, more: object = {}): string {
  const messages = [{ role: "user", content: text }];
  return JSON.stringify({ model: "up/m", max_tokens: 50, messages, ...more });
}

export function chatAnswer(content: string): string {
  return JSON.stringify({
    id: "c",
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 7, completion_tokens: 9 },
  });
}

export function messagesAnswer(text: string): string {
  return JSON.stringify({
    id: "m",
    type: "message",
    role: "assistant",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage: { input_tokens: 7, output_tokens: 9 },
  });
}

export const usageChunk = sse({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 9 } });

/** A stream of chat with its usage. */
export function chatStream(...pieces: string[]): string[] {
  const all = chatEvents([[{ kind: "text", pieces }]]);
  return [...all.slice(0, -1), usageChunk, ...all.slice(-1)];
}

export function messagesStream(...pieces: string[]): string[] {
  const all = messagesEvents([{ kind: "text", pieces }]);
  const delta = { type: "message_delta", delta: {}, usage: { input_tokens: 7, output_tokens: 9 } };
  return [...all.slice(0, -1), `event: message_delta\n${sse(delta)}`, ...all.slice(-1)];
}

export const chatPath = "/v1/chat/completions";

/** Sends the same request as `fetch`, over a socket that shows the answer's chunks. */
export async function askRaw(gateway: CachedGateway, body: string): Promise<RawSocket> {
  const raw = await RawSocket.open(gateway.gateway.url);
  const headers = [
    "Host: g",
    `Authorization: Bearer ${gateway.gateway.key}`,
    "X-Svc-Cache: on",
    "Accept: */*",
    "Content-Type: text/plain;charset=UTF-8",
    `Content-Length: ${body.length}`,
  ];
  raw.send(`POST ${chatPath} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
  return raw;
}

/** The chunks of a body with `Transfer-Encoding: chunked`. */
export function chunksOf(body: string): string[] {
  const chunks: string[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf("\r\n", at);
    const length = Number.parseInt(body.slice(at, lineEnd), 16);
    if (!(length > 0)) return chunks;
    chunks.push(body.slice(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}
