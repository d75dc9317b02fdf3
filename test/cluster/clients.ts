import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { passed } from "./bounded.ts";
import type { Cluster } from "./cluster.ts";

/** An answer with a status of success. */
export interface ServedAnswer {
  readonly orgId: string;
  readonly sentMs: number;
  readonly gotMs: number;
}

/** An answer that said what it cost and that it is debited. */
export interface PromisedDebit {
  readonly orgId: string;
  readonly requestId: string;
  readonly costUsd: string;
}

/** What clients have seen. */
export class Witness {
  readonly served: ServedAnswer[] = [];
  readonly promised: PromisedDebit[] = [];
  /** How often each status was answered; `cut`: the connection broke; `hung`: nothing came. */
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

/** `left`: a client that goes away before its answer comes, at any moment. */
export type CallKind = "chat" | "chat stream" | "messages" | "messages stream" | "scan" | "left";

/** Three gateways, their clients and PostgreSQL share the cores of one machine. */
const pauseMs = { answered: 50, refused: 100 };
export const outputTokensMax = 4_000;
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
        const answered = await call(cluster, ask, caller.orgId, witness);
        await passed(answered ? pauseMs.answered : pauseMs.refused);
      }
    }),
  );
  await Promise.all(clients);
}

export interface DirectAnswer {
  /** null: the connection broke, or nothing came. */
  readonly status: number | null;
  readonly text: string;
}

/** One request to one gateway. Never rejects. */
export function askOnce(url: string, secret: string, msMax: number): Promise<DirectAnswer> {
  const body = { model: "p/m", max_tokens: outputTokensMax, messages: [question] };
  const options = { method: "POST", body: JSON.stringify(body) };
  return direct(`${url}/v1/chat/completions`, secret, msMax, options);
}

/** Asks a gateway for what needs no money, so that nothing but the key decides. Never rejects. */
export function modelsOf(url: string, secret: string, msMax: number): Promise<DirectAnswer> {
  return direct(`${url}/v1/models`, secret, msMax);
}

async function direct(
  url: string,
  secret: string,
  msMax: number,
  more: RequestInit = {},
): Promise<DirectAnswer> {
  const headers = { authorization: `Bearer ${secret}` };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(msMax), ...more });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: null, text: String(error) };
  }
}

/** Asks once, reads the answer to its end, and returns the answer's headers. */
type Ask = () => Promise<Response>;

async function call(
  { answerMsMax }: Cluster,
  ask: Ask,
  orgId: string,
  witness: Witness,
): Promise<boolean> {
  const sentMs = performance.now();
  try {
    const { headers, status } = await ask();
    witness.count(String(status));
    if (status !== 200) return false;
    witness.served.push({ orgId, sentMs, gotMs: performance.now() });
    const costUsd = headers.get("x-svc-cost-usd") ?? "0";
    const requestId = headers.get("x-svc-request-id") ?? "";
    if (headers.has("x-svc-payg-debited-cents") && Number(costUsd) > 0) {
      witness.promised.push({ orgId, requestId, costUsd });
    }
    return true;
  } catch (error) {
    witness.count(performance.now() - sentMs < answerMsMax ? outcomeOf(error) : "hung");
    return false;
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof GoneAway) return "left";
  const isOfSdk = error instanceof OpenAI.APIError || error instanceof Anthropic.APIError;
  const { status } = error as { readonly status?: number };
  return isOfSdk && status !== undefined ? String(status) : "cut";
}

class GoneAway extends Error {}

function askerOf(cluster: Cluster, { secret }: Caller, kind: CallKind): Ask {
  const { answerMsMax } = cluster;
  // The SDKs know one address; the gateway behind it is another one each time.
  const overCluster: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const gateway = cluster.next();
    if (gateway === null) return Promise.reject(new TypeError("no gateway is there"));
    const late = AbortSignal.timeout(answerMsMax);
    const given = init?.signal ?? null;
    const signal = given === null ? late : AbortSignal.any([given, late]);
    return fetch(gateway.url + pathname + search, { ...init, signal });
  };
  const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
    overCluster(`http://cluster.invalid${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  const options = { apiKey: secret, maxRetries: 0, timeout: 2 * answerMsMax, fetch: overCluster };
  const openai = new OpenAI({ ...options, baseURL: "http://cluster.invalid/v1" });
  const anthropic = new Anthropic({ ...options, baseURL: "http://cluster.invalid" });
  const request = { model: "p/m", max_tokens: outputTokensMax, messages: [question] };
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
        const answer = await post("/v1/security/scan", { input: "What is the capital of France?" });
        await answer.text();
        return answer;
      };
    case "left":
      return async () => {
        const leaving = AbortSignal.timeout(stays());
        try {
          const answer = await post(
            "/v1/chat/completions",
            { ...request, model: "p/left" },
            leaving,
          );
          await answer.text();
          return answer;
        } catch (error) {
          throw leaving.aborted ? new GoneAway() : error;
        }
      };
  }
}

/** Up to as long as a request may wait for money that another gateway has. */
function stays(): number {
  return Math.floor(Math.random() * 300);
}

/** An SDK that loses its place in a stream gives something else. */
function expectObject(event: unknown): void {
  if (typeof event !== "object" || event === null) throw new Error("an event is no object");
}
