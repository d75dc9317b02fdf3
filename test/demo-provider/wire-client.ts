import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { startDemoProvider, type DemoProvider } from "../../src/demo-provider/server.ts";

export const wires = ["chat", "messages"] as const;
export type Wire = (typeof wires)[number];

export const pathOf: Readonly<Record<Wire, string>> = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
};

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** One a chunk of the body, as the server wrote it. */
  readonly chunkCount: number;
  /** `reset`: the connection broke before the body's end. */
  readonly end: "complete" | "reset";
}

/** Posts with nothing but node:http between, so that what comes back is what was on the wire. */
export function post(
  origin: string,
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(origin + path, { method: "POST", headers, agent: false });
    call.on("error", reject);
    call.on("response", (response) => {
      const chunks: Buffer[] = [];
      const finish = (end: Received["end"]) => {
        const { statusCode = 0, headers: answered } = response;
        const whole = Buffer.concat(chunks);
        const chunkCount = chunks.length;
        resolve({ status: statusCode, headers: answered, body: whole, chunkCount, end });
      };
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        finish("complete");
      });
      response.on("error", () => {
        finish("reset");
      });
    });
    call.end(body);
  });
}

/** Asks a model on a wire. `extra` members go into the body behind the usual ones. */
export function ask(
  provider: DemoProvider,
  wire: Wire,
  model: string,
  extra: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> {
  const body = JSON.stringify(askBody(wire, model, extra));
  return post(provider.origin, pathOf[wire], body, headers);
}

export function askBody(wire: Wire, model: string, extra: Readonly<Record<string, unknown>> = {}) {
  const messages = [{ role: "user", content: "one two three four" }];
  return { model, messages, ...(wire === "messages" ? { max_tokens: 1_000 } : {}), ...extra };
}

/** The events of an SSE body; comments and the unfinished rest are left out. */
export function eventsOf(body: Buffer | string): { event: string | null; data: string }[] {
  const events: { event: string | null; data: string }[] = [];
  for (const frame of body.toString().replaceAll("\r\n", "\n").split("\n\n").slice(0, -1)) {
    let event: string | null = null;
    let data: string | null = null;
    for (const line of frame.split("\n")) {
      if (line.startsWith("event: ")) event = line.slice(7);
      if (line.startsWith("data: ")) data = line.slice(6);
    }
    if (data !== null) events.push({ event, data });
  }
  return events;
}

/** The text that an answer of either wire brings, streamed or not. */
export function textOf(wire: Wire, received: Received): string {
  const isStream = received.headers["content-type"]?.startsWith("text/event-stream") === true;
  if (!isStream) {
    const answer = member(JSON.parse(received.body.toString()));
    return wire === "chat"
      ? String(answer("choices", 0, "message", "content"))
      : String(answer("content", 0, "text"));
  }
  let text = "";
  for (const { data } of eventsOf(received.body)) {
    if (data === "[DONE]") continue;
    const chunk = member(JSON.parse(data));
    const piece =
      wire === "chat" ? chunk("choices", 0, "delta", "content") : chunk("delta", "text");
    if (typeof piece === "string") text += piece;
  }
  return text;
}

/** Reads a path into parsed JSON; undefined where there is nothing. */
export function member(value: unknown): (...path: (string | number)[]) => unknown {
  return (...path) => {
    let current = value;
    for (const key of path) {
      if (typeof current !== "object" || current === null) return undefined;
      current = Object.entries(current).find(([name]) => name === String(key))?.[1];
    }
    return current;
  };
}

/** Runs a test against a provider of its own. */
export async function withProvider(
  options: Parameters<typeof startDemoProvider>[0],
  test: (provider: DemoProvider) => Promise<void>,
): Promise<void> {
  const provider = await startDemoProvider(options);
  try {
    await test(provider);
  } finally {
    await provider.close();
  }
}
