// The provider behind all subjects, in a process of its own. After `fork` it sends `{ port }`, and
// then answers "counts" with its counts so far. It serves both wires and parses no request's body.
import { crc32 } from "node:zlib";
import uws, { type HttpRequest, type HttpResponse } from "uWebSockets.js";
import type { BenchWire } from "../subjects/subject.ts";
import { monotonicUs, smallAnswer, streamText } from "./answers.ts";
import { behaviourOf, type Behaviour } from "./behaviour.ts";
import { EventClock, type Paced } from "./event-clock.ts";

/** The provider's counts since its start. */
export interface ProviderCounts {
  /** Requests answered to their end. */
  readonly answered: number;
  /** Events sent; those at the end of a stream, which carry no text, don't count. */
  readonly events: number;
  /** Streams that have begun and not ended. */
  readonly open: number;
  /** Streams whose clients left before the end. */
  readonly aborted: number;
  /** CPU time of its process, in milliseconds. */
  readonly cpuMs: number;
}

const counts = { answered: 0, events: 0, open: 0, aborted: 0 };
const clock = new EventClock();
const planOf = new Map<string, Behaviour | undefined>();

function plan(path: string): Behaviour | undefined {
  if (!planOf.has(path)) planOf.set(path, behaviourOf(path));
  return planOf.get(path);
}

interface Client {
  gone: boolean;
  /** True while a stream is under way. */
  streams: boolean;
}

function serve(res: HttpResponse, req: HttpRequest): void {
  const path = req.getUrl();
  const wire: BenchWire = path.endsWith("/messages") ? "messages" : "chat";
  const behaviour = plan(path);
  const client: Client = { gone: false, streams: false };
  let received = 0;
  let crc = 0;
  res.onAborted(() => {
    client.gone = true;
    counts.aborted += 1;
    if (client.streams) counts.open -= 1;
  });
  res.onData((piece, isLast) => {
    received += piece.byteLength;
    if (behaviour?.kind === "checked-sink") crc = crc32(new Uint8Array(piece), crc);
    if (!isLast || client.gone) return;
    switch (behaviour?.kind) {
      case "json":
        if (behaviour.delayMs === 0) return sendJson(res, smallAnswer[wire]);
        setTimeout(() => {
          if (!client.gone) sendJson(res, smallAnswer[wire]);
        }, behaviour.delayMs);
        return;
      case "sink":
      case "checked-sink":
        // The count has the form of a model's answer, because a gateway reads its usage.
        return sendJson(
          res,
          JSON.stringify({ received, crc, usage: { prompt_tokens: 1, completion_tokens: 1 } }),
        );
      case "events":
        return sendEvents(res, client, wire, behaviour);
      case undefined:
        counts.answered += 1;
        res.cork(() => res.writeStatus("404 Not Found").end());
    }
  });
}

function sendJson(res: HttpResponse, body: Buffer | string): void {
  counts.answered += 1;
  res.cork(() =>
    res.writeStatus("200 OK").writeHeader("content-type", "application/json").end(body),
  );
}

function sendEvents(
  res: HttpResponse,
  client: Client,
  wire: BenchWire,
  { count, everyMs }: Extract<Behaviour, { kind: "events" }>,
): void {
  const { begin, event, end } = streamText[wire];
  let left = count;
  let finished = false;
  const finish = (): void => {
    if (finished) return;
    finished = true;
    client.streams = false;
    counts.open -= 1;
    counts.answered += 1;
    res.cork(() => res.end(end));
  };
  const nextEvent = (): string => {
    left -= 1;
    counts.events += 1;
    return event(monotonicUs());
  };
  client.streams = true;
  counts.open += 1;
  // The head and the first event are one write, because a provider's first token comes with its
  // head.
  res.cork(() => {
    res.writeStatus("200 OK").writeHeader("content-type", "text/event-stream");
    res.write(begin + nextEvent());
  });
  if (everyMs > 0) {
    if (left === 0) return finish();
    const stream: Paced = {
      everyMs,
      due: () => {
        if (client.gone) return false;
        res.cork(() => res.write(nextEvent()));
        if (left === 0) finish();
        return left > 0;
      },
    };
    return clock.add(stream);
  }
  const takesMore = (): boolean => {
    let taken = false;
    res.cork(() => (taken = res.write(nextEvent())));
    return taken;
  };
  const fill = (): boolean => {
    while (left > 0 && !client.gone) if (!takesMore()) return false;
    if (!client.gone) finish();
    return true;
  };
  // After the last event the end waits for the reader too.
  res.onWritable(() => fill());
  fill();
}

const app = uws.App({}).any("/*", serve);
app.listen("127.0.0.1", 0, (socket) => {
  if (socket === false) throw new Error("no port is free");
  process.send?.({ port: uws.us_socket_local_port(socket) });
});

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ ...counts, cpuMs: (user + system) / 1000 } satisfies ProviderCounts);
});
process.on("disconnect", () => process.exit());
