import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Random } from "../sim/random.ts";
import { dataEvent } from "../support/scripted-provider.ts";

/**
 * How a provider behaves: `steady` always answers; `refusing` answers every third request with an error
 * that another account may make good; `faulty` fails in every way that a provider fails; `unpaid` is
 * steady and charges somebody else.
 */
const tempers = ["steady", "refusing", "faulty", "unpaid"] as const;
export type Temper = (typeof tempers)[number];

interface Asked {
  readonly temper: Temper;
  readonly wire: "chat" | "messages";
  readonly stream: boolean;
  /** Events of a stream, and the cap of its tokens. */
  readonly events: number;
  readonly bytesPerEvent: number;
}

type Fault =
  | "none"
  | "error"
  | "rate_limit"
  | "reset"
  | "slow"
  | "silent"
  | "half"
  | "stalled"
  | "error_in_2xx";

/** Redacted by a policy that redacts; both wires send it. */
const sentence = "Mail jane.roe@example.com about PRJ-1234, please. ";
/** Longer than the accounts' `timeoutsMs.headers` in `soak-config.ts`. */
const silentMs = 7_000;
const slowMs = 1_000;
/** The gateway is told of it and gives connections up two seconds before; both need their time. */
const keepAliveMs = 8_000;

/**
 * Providers of each temper, which note every charge: what an answer's usage costs, once all of the
 * answer was written to a connection that stood.
 */
export class SoakProviders {
  chargedMicroUsd = 0n;
  charges = 0;
  readonly #random: Random;
  readonly #servers: Server[] = [];

  private constructor(seed: number) {
    this.#random = new Random(seed);
  }

  static async start(seed: number) {
    const providers = new SoakProviders(seed);
    const origins = new Map<Temper, string>();
    for (const temper of tempers) origins.set(temper, await providers.#listen(temper));
    return { providers, originOf: (temper: Temper): string => origins.get(temper) ?? "" };
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#servers.map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  }

  async #listen(temper: Temper): Promise<string> {
    const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("error", () => response.destroy());
      request.on("end", () => {
        const asked = readAsked(temper, request.url ?? "", Buffer.concat(chunks));
        void this.#answer(asked, response);
      });
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async #answer(asked: Asked, response: ServerResponse): Promise<void> {
    const fault = this.#fault(asked.temper);
    switch (fault) {
      case "reset":
        response.socket?.resetAndDestroy();
        return;
      case "error":
      case "rate_limit": {
        const status = fault === "error" ? 500 : 429;
        response.writeHead(status, { "content-type": "application/json", "retry-after": "1" });
        response.end(
          JSON.stringify({ error: { message: "The provider failed.", type: "server" } }),
        );
        return;
      }
      case "silent":
      case "slow":
        await passed(fault === "slow" ? slowMs : silentMs);
        break;
      case "none":
      case "half":
      case "stalled":
      case "error_in_2xx":
        break;
    }
    if (response.destroyed) return;
    if (asked.stream) await this.#stream(asked, fault, response);
    else this.#whole(asked, fault, response);
  }

  #fault(temper: Temper): Fault {
    if (temper === "steady" || temper === "unpaid" || this.#random.chance(0.66)) return "none";
    if (temper === "refusing") return this.#random.pick("error", "rate_limit");
    return this.#random.pick<Fault>(
      "error",
      "rate_limit",
      "reset",
      "slow",
      "silent",
      "half",
      "stalled",
      "error_in_2xx",
    );
  }

  #whole(asked: Asked, fault: Fault, response: ServerResponse): void {
    const text = sentence.repeat(1 + (asked.bytesPerEvent >> 6));
    const usage = this.#usage();
    const answer =
      fault === "error_in_2xx"
        ? { error: { message: "Overloaded", type: "server_error" } }
        : asked.wire === "chat"
          ? {
              id: "chatcmpl-soak",
              object: "chat.completion",
              choices: [{ index: 0, message: { role: "assistant", content: text } }],
              usage: chatUsage(usage),
            }
          : {
              id: "msg_soak",
              type: "message",
              role: "assistant",
              content: [{ type: "text", text }],
              usage: messagesUsage(usage),
            };
    const json = Buffer.from(JSON.stringify(answer));
    response.writeHead(200, { "content-type": "application/json", "content-length": json.length });
    if (fault === "half" || fault === "stalled") {
      response.write(json.subarray(0, json.length >> 1), () => {
        if (fault === "half") response.destroy();
      });
      return;
    }
    if (fault !== "error_in_2xx") this.#charge(asked, usage);
    response.end(json);
  }

  async #stream(asked: Asked, fault: Fault, response: ServerResponse): Promise<void> {
    const usage = this.#usage();
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (fault === "error_in_2xx") {
      response.end(dataEvent({ error: { message: "Overloaded", type: "server_error" } }));
      return;
    }
    const frames = asked.wire === "chat" ? chatFrames : messagesFrames;
    const text = sentence.padEnd(asked.bytesPerEvent, "word ");
    for (const frame of frames.opening) response.write(frame);
    const isBroken = fault === "half" || fault === "stalled";
    const events = isBroken ? asked.events >> 1 : asked.events;
    for (let sent = 0; sent < events; sent += 1) {
      if (response.destroyed) return;
      if (!response.write(frames.event(text))) await drained(response);
      else await passed(this.#random.integer(0, 5));
    }
    // Without the usage, which stands at the end on both wires: it costs nothing.
    if (fault === "half") response.destroy();
    if (isBroken || response.destroyed) return;
    this.#charge(asked, usage);
    response.end(frames.closing(usage));
  }

  #usage(): Usage {
    return { input: this.#random.integer(1, 97), output: this.#random.integer(1, 89) };
  }

  /** At `testPrice`: a micro-dollar for a token of the input, two for one of the output. */
  #charge({ temper }: Asked, { input, output }: Usage): void {
    if (temper === "unpaid") return;
    this.charges += 1;
    this.chargedMicroUsd += BigInt(input + 2 * output);
  }
}

interface Usage {
  readonly input: number;
  readonly output: number;
}

const chatUsage = ({ input, output }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});
const messagesUsage = ({ input, output }: Usage) => ({
  input_tokens: input,
  output_tokens: output,
});

const named = (type: string, payload: object): string =>
  `event: ${type}\n${dataEvent({ type, ...payload })}`;

const chatFrames = {
  opening: [dataEvent({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] })],
  event: (content: string) => dataEvent({ choices: [{ index: 0, delta: { content } }] }),
  closing: (usage: Usage) =>
    dataEvent({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
    dataEvent({ choices: [], usage: chatUsage(usage) }) +
    dataEvent("[DONE]"),
};

const messagesFrames = {
  opening: [
    named("message_start", { message: { id: "msg_soak", type: "message", role: "assistant" } }),
    named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  ],
  event: (text: string) =>
    named("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
  closing: (usage: Usage) =>
    named("content_block_stop", { index: 0 }) +
    named("message_delta", {
      delta: { stop_reason: "end_turn" },
      usage: messagesUsage(usage),
    }) +
    named("message_stop", {}),
};

/** How much to answer stands in members that both wires pass on: `max_tokens` and `seed`. */
function readAsked(temper: Temper, url: string, body: Buffer): Asked {
  const { stream, max_tokens, seed } = JSON.parse(body.toString()) as {
    readonly stream?: boolean;
    readonly max_tokens: number;
    readonly seed: number;
  };
  const wire = url.includes("/messages") ? "messages" : "chat";
  return { temper, wire, stream: stream === true, events: max_tokens, bytesPerEvent: seed };
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
