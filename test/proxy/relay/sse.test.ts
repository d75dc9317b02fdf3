import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Wire } from "../../../src/contract/wire.ts";
import { SseTap, type StreamProgress } from "../../../src/proxy/relay/sse.ts";

function progressOf(wire: Wire, chunks: readonly Buffer[]): StreamProgress {
  const tap = new SseTap(wire);
  for (const chunk of chunks) tap.push(chunk);
  return tap.finish();
}

const streams: [string, Wire, string, StreamProgress][] = [
  ["chat, done", "chat", 'data: {"a":1}\n\ndata: [DONE]\n\n', "complete"],
  ["chat, done without a space", "chat", "data:[DONE]\n\n", "complete"],
  ["chat, done without a line break", "chat", "data: [DONE]", "complete"],
  ["chat, CRLF", "chat", 'data: {"a":1}\r\n\r\ndata: [DONE]\r\n\r\n', "complete"],
  ["chat, CR", "chat", 'data: {"a":1}\r\rdata: [DONE]\r\r', "complete"],
  ["chat, CR, one event", "chat", "data: [DONE]\r\r", "complete"],
  ["chat, line ends of each kind", "chat", 'data: {"a":1}\r\n\rdata: [DONE]\n\r\n', "complete"],
  ["chat, CR, cut", "chat", 'data: {"a":1}\r\r', "running"],
  ["chat, CR, provider's error", "chat", 'data: {"error":{"message":"x"}}\r\r', "provider_error"],
  ["chat, a byte order mark", "chat", "\ufeffdata: [DONE]\n\n", "complete"],
  [
    "chat, a byte order mark in the middle",
    "chat",
    "data: {}\n\n\ufeffdata: [DONE]\n\n",
    "running",
  ],
  ["chat, cut", "chat", 'data: {"a":1}\n\n', "running"],
  ["chat, empty", "chat", "", "running"],
  ["chat, the word in a payload", "chat", 'data: {"content":"\\ndata: [DONE]"}\n\n', "running"],
  ["chat, provider's error", "chat", 'data: {"error":{"message":"x"}}\n\n', "provider_error"],
  ["chat, the word error in a payload", "chat", 'data: {"x":{"error":{}}}\n\n', "running"],
  ["chat, error null", "chat", 'data: {"error":null}\n\n', "running"],
  ["chat, comments", "chat", ": ping\n\ndata: [DONE]\n\n", "complete"],
  [
    "messages, stop",
    "messages",
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    "complete",
  ],
  ["messages, data only", "messages", 'data: {"type": "message_stop"}\n\n', "complete"],
  ["messages, CRLF", "messages", "event: message_stop\r\ndata: {}\r\n\r\n", "complete"],
  ["messages, CR", "messages", "event: message_stop\rdata: {}\r\r", "complete"],
  ["messages, CR, error", "messages", 'event: error\rdata: {"type":"error"}\r\r', "provider_error"],
  [
    "messages, a byte order mark",
    "messages",
    "\ufeffevent: message_stop\ndata: {}\n\n",
    "complete",
  ],
  ["messages, a longer event name", "messages", "event: message_stopped\ndata: {}\n\n", "running"],
  ["messages, error", "messages", 'event: error\ndata: {"type":"error"}\n\n', "provider_error"],
  ["messages, no space", "messages", "event:message_stop\ndata:{}\n\n", "complete"],
  ["messages, error, no space", "messages", "event:error\ndata:{}\n\n", "provider_error"],
  ["messages, cut", "messages", 'event: ping\ndata: {"type":"ping"}\n\n', "running"],
  ["messages, chat's end", "messages", "data: [DONE]\n\n", "running"],
  ...["completed", "incomplete", "failed"].flatMap((how): typeof streams => {
    const type = `response.${how}`;
    const progress = how === "failed" ? "provider_error" : "complete";
    const data = `data: {"type":"${type}","response":{}}`;
    return [
      [`responses, ${how}`, "responses", `event: ${type}\n${data}\n\n`, progress],
      [`responses, ${how}, data only`, "responses", `${data}\n\ndata: [DONE]\n\n`, progress],
      [`responses, ${how}, CRLF`, "responses", `event:${type}\r\n${data}\r\n\r\n`, progress],
      [`responses, ${how}, CR`, "responses", `event: ${type}\r${data}\r\r`, progress],
    ];
  }),
  ["responses, error", "responses", 'data: {"type":"error","code":"x"}\n\n', "provider_error"],
  ["responses, cut", "responses", "event: response.created\ndata: {}\n\n", "running"],
  [
    "responses, a part that is complete",
    "responses",
    'event: response.code_interpreter_call.completed\ndata: {"type":"response.code_interpreter_call.completed"}\n\n',
    "running",
  ],
  ["responses, chat's end", "responses", "data: [DONE]\n\n", "running"],
];

describe("terminal events", () => {
  test.each(streams)("%s", (_name, wire, text, progress) => {
    expect(progressOf(wire, [Buffer.from(text)])).toBe(progress);
  });

  test.each(streams)("%s, byte by byte", (_name, wire, text, progress) => {
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    expect(progressOf(wire, bytes)).toBe(progress);
  });

  test("any split says the same", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...streams),
        fc.array(fc.nat(200), { maxLength: 20 }),
        ([, wire, text, progress], cuts) => {
          const bytes = Buffer.from(text);
          const at = [...new Set(cuts.map((cut) => Math.min(cut, bytes.length)))].sort(
            (a, b) => a - b,
          );
          const chunks = [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length));
          expect(progressOf(wire, chunks)).toBe(progress);
        },
      ),
    );
  });
});

test("knows whether an event is unfinished", () => {
  const tap = new SseTap("chat");
  expect(tap.betweenEvents).toBe(true);
  tap.push(Buffer.from('data: {"a"'));
  expect(tap.betweenEvents).toBe(false);
  tap.push(Buffer.from(":1}\n"));
  expect(tap.betweenEvents).toBe(false);
  tap.push(Buffer.from("\n"));
  expect(tap.betweenEvents).toBe(true);
});

test.each(["\n", "\r\n", "\r"])(
  "a stream that is cut behind a line is within an event: %j",
  (end) => {
    const tap = new SseTap("chat");
    tap.push(Buffer.from(`data: {}${end}${end}data: {}${end}`));
    expect(tap.finish()).toBe("running");
    expect(tap.betweenEvents).toBe(false);
  },
);

describe("what stands behind the last event", () => {
  const more = 'data: {"usage":{"prompt_tokens":9}}\n\n';
  test.each([
    ["chat", "chat", "data: [DONE]\n\n", true],
    ["chat, CRLF", "chat", 'data: {"a":1}\r\n\r\ndata: [DONE]\r\n\r\n', true],
    ["chat, CR", "chat", 'data: {"a":1}\r\rdata: [DONE]\r\r', true],
    ["messages", "messages", 'event: message_stop\ndata: {"type":"message_stop"}\n\n', true],
    ["an error", "chat", 'data: {"error":{"message":"x"}}\n\n', false],
    ["responses", "responses", "event: response.completed\ndata: {}\n\n", false],
    ["an event like any other", "chat", 'data: {"a":1}\n\n', false],
  ] as const)("%s", (_name, wire, text, isOver) => {
    const whole = Buffer.from(text + more);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const tap = new SseTap(wire);
      const [first, second] = [whole.subarray(0, cut), whole.subarray(cut)];
      const taken = tap.push(first) + tap.push(second);
      expect(taken).toBe(isOver ? text.length : whole.length);
    }
  });
});

test.each([
  ["\n", 1_000],
  ["\r\n", 1_000],
  ["\r", 1_000],
  ["\n", 1],
  ["\r\n", 1],
  ["\r", 1],
])("has ended once the terminal event is whole: line ends %j, %i bytes at a time", (end, size) => {
  const tap = new SseTap("chat");
  const push = (text: string) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) tap.push(bytes.subarray(at, at + size));
    return tap.hasEnded;
  };
  expect(push(`data: {}${end}${end}`)).toBe(false);
  expect(push(`data: [DONE]${end}`)).toBe(false);
  expect(push(end)).toBe(true);
});
