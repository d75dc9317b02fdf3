import type { GatewayProcess } from "../support/gateway-process.ts";

/** An answer that said what it cost and that it is debited. */
export interface PromisedDebit {
  readonly requestId: string;
  readonly costUsd: string;
}

/** What clients have seen, over all lives of the gateway. */
export class Witness {
  readonly promised: PromisedDebit[] = [];
  /** Streams that ended as they should. */
  readonly streams: string[] = [];
  readonly statuses = new Map<number, number>();
}

type Endpoint = "json" | "stream" | "scan" | "response" | "response stream";
const everything: readonly Endpoint[] = [
  "json",
  "stream",
  "scan",
  "json",
  "response",
  "response stream",
];

/** Clients that ask one thing after another until the gateway is gone or `isOver`. */
export async function load(
  { url }: Pick<GatewayProcess, "url">,
  secrets: readonly string[],
  witness: Witness,
  isOver: () => boolean,
  endpoints = everything,
): Promise<void> {
  const clients = secrets.flatMap((secret) =>
    endpoints.map(async (endpoint) => {
      while (!isOver()) {
        // A connection that breaks is what a kill looks like from here.
        const answered = await ask(url, secret, endpoint, witness).catch(() => false);
        if (!answered) return;
      }
    }),
  );
  await Promise.all(clients);
}

async function ask(
  url: string,
  secret: string,
  endpoint: Endpoint,
  { promised, streams, statuses }: Witness,
): Promise<boolean> {
  const [path, body] = requestTo(endpoint);
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  // The headers are the promise; whether the body arrives does not matter.
  const { headers, status } = response;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const requestId = headers.get("x-svc-request-id") ?? "";
  const costUsd = headers.get("x-svc-cost-usd") ?? "0";
  if (headers.has("x-svc-payg-debited-cents") && Number(costUsd) > 0) {
    promised.push({ requestId, costUsd });
  }
  const text = await response.text();
  if (endpoint === "stream" && text.endsWith("data: [DONE]\n\n")) streams.push(requestId);
  if (endpoint === "response stream" && text.includes("response.completed"))
    streams.push(requestId);
  return true;
}

function requestTo(endpoint: Endpoint): readonly [path: string, body: object] {
  const input = "What is the capital of France?";
  switch (endpoint) {
    case "scan":
      return ["/v1/security/scan", { input }];
    case "response":
    case "response stream":
      return [
        "/v1/responses",
        { model: "p/m", input, max_output_tokens: 100, stream: endpoint === "response stream" },
      ];
    default:
      return ["/v1/chat/completions", { ...question, stream: endpoint === "stream" }];
  }
}

const question = {
  model: "p/m",
  max_tokens: 100,
  messages: [{ role: "user", content: "What is the capital of France?" }],
};
