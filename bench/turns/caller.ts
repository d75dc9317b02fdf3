import { Agent, request, type OutgoingHttpHeaders } from "node:http";

const connections = 32;

export interface Sent {
  readonly method?: string;
  readonly key: string;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: OutgoingHttpHeaders;
}

/** Calls a gateway over a few kept connections. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: connections });

  /** The answer's text. Throws if the answer is a refusal. */
  ask(url: string, { method, key, body, headers }: Sent): Promise<string> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const options = {
      agent: this.#agent,
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const got = Buffer.concat(chunks).toString();
          if ((answer.statusCode ?? 500) < 300) resolve(got);
          else reject(new Error(`${url} answered ${answer.statusCode}: ${got.slice(0, 300)}`));
        });
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : text);
    });
  }

  /** Calls `one` for each, a few at a time. */
  async each<T>(items: Iterable<T>, one: (item: T) => Promise<unknown>): Promise<void> {
    const left = items[Symbol.iterator]();
    const next = async (): Promise<void> => {
      for (let item = left.next(); item.done !== true; item = left.next()) await one(item.value);
    };
    await Promise.all(Array.from({ length: connections }, next));
  }

  close(): void {
    this.#agent.destroy();
  }
}
