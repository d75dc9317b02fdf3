import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { Cluster } from "./cluster.ts";

/** An answer that said what it cost and that it is debited. */
export interface PromisedDebit {
  readonly orgId: string;
  readonly requestId: string;
  readonly costUsd: string;
  readonly sentMs: number;
  readonly gotMs: number;
}

/** What clients have seen. */
export class Witness {
  readonly promised: PromisedDebit[] = [];
  /** How often each status and code was answered; `cut`: the connection broke. */
  readonly outcomes = new Map<string, number>();

  count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }
}

export interface Caller {
  readonly orgId: string;
  readonly secret: string;
  readonly kinds: readonly CallKind[];
}

export type CallKind = "chat" | "chat stream" | "messages" | "messages stream" | "scan";

const pauseMs = { answered: 15, refused: 60 };
const question = { role: "user" as const, content: "What is the capital of France? ".repeat(20) };

/** Clients that ask one thing after another until `isOver`, each of another gateway than before. */
export async function load(
  cluster: Cluster,
  callers: readonly Caller[],
  witness: Witness,
  isOver: () => boolean,
): Promise<void> {
  const clients = callers.flatMap((caller) =>
    caller.kinds.map(async (kind) => {
      const ask = askerOf(cluster, caller, kind);
      while (!isOver()) {
        const answered = await call(ask, caller.orgId, witness);
        const ms = answered ? pauseMs.answered : pauseMs.refused;
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
    }),
  );
  await Promise.all(clients);
}

/** The status of one request to one gateway; null: it broke. */
export async function statusOf(url: string, secret: string): Promise<number | null> {
  const body = { model: "p/m", max_tokens: 1_000, messages: [question] };
  try {
    const response = await post(url, "/v1/chat/completions", secret, body);
    await response.text();
    return response.status;
  } catch {
    return null;
  }
}

/** Asks once, reads the answer to its end, and returns the answer's headers. */
type Ask = () => Promise<Response>;

async function call(ask: Ask, orgId: string, witness: Witness): Promise<boolean> {
  const sentMs = performance.now();
  try {
    const { headers, status } = await ask();
    witness.count(String(status));
    if (status !== 200) return false;
    const costUsd = headers.get("x-svc-cost-usd") ?? "0";
    const requestId = headers.get("x-svc-request-id") ?? "";
    if (headers.has("x-svc-payg-debited-cents") && Number(costUsd) > 0) {
      witness.promised.push({ orgId, requestId, costUsd, sentMs, gotMs: performance.now() });
    }
    return true;
  } catch (error) {
    witness.count(outcomeOf(error));
    return false;
  }
}

function outcomeOf(error: unknown): string {
  const isOfSdk = error instanceof OpenAI.APIError || error instanceof Anthropic.APIError;
  const { status } = error as { readonly status?: number };
  return isOfSdk && status !== undefined ? String(status) : "cut";
}

function askerOf(cluster: Cluster, { secret }: Caller, kind: CallKind): Ask {
  // The SDKs know one address; the gateway behind it is another one each time.
  const overCluster: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const gateway = cluster.next();
    if (gateway === null) return Promise.reject(new TypeError("no gateway is there"));
    return fetch(gateway.url + pathname + search, init);
  };
  const options = { apiKey: secret, maxRetries: 0, fetch: overCluster };
  const openai = new OpenAI({ ...options, baseURL: "http://cluster.invalid/v1" });
  const anthropic = new Anthropic({ ...options, baseURL: "http://cluster.invalid" });
  const request = { model: "p/m", max_tokens: 1_000, messages: [question] };
  switch (kind) {
    case "chat":
      return async () => (await openai.chat.completions.create(request).withResponse()).response;
    case "chat stream":
      return async () => {
        const asked = openai.chat.completions.create({ ...request, stream: true });
        const { data, response } = await asked.withResponse();
        for await (const chunk of data) expectObject(chunk);
        return response;
      };
    case "messages":
      return async () => (await anthropic.messages.create(request).withResponse()).response;
    case "messages stream":
      return async () => {
        const asked = anthropic.messages.create({ ...request, stream: true });
        const { data, response } = await asked.withResponse();
        for await (const event of data) expectObject(event);
        return response;
      };
    case "scan":
      return async () => {
        const url = "http://cluster.invalid/v1/security/scan";
        const headers = { authorization: `Bearer ${secret}` };
        const body = JSON.stringify({ input: "What is the capital of France?" });
        const response = await overCluster(url, { method: "POST", headers, body });
        await response.text();
        return response;
      };
  }
}

function post(url: string, path: string, secret: string, body: object): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });
}

/** An SDK that loses its place in a stream gives something else. */
function expectObject(event: unknown): void {
  if (typeof event !== "object" || event === null) throw new Error("an event is no object");
}
