/**
 * Speed of the byte-level JSON code. By hand: `node bench/micro/json.ts`.
 *
 * Inputs lie in shared memory, as large bodies do. `JSON.parse` stands beside the small body to
 * tell a slow machine from a slow scanner.
 */
import { Bench } from "tinybench";
import { JsonScanner, type Member, type TopLevel } from "../../src/json/scanner.ts";
import { memberEdits, splice } from "../../src/json/splice.ts";
import { decodeString, encodeString } from "../../src/json/string.ts";

const MB = 1_000_000;

function shared(text: string): Uint8Array {
  const source = Buffer.from(text);
  const bytes = new Uint8Array(new SharedArrayBuffer(source.length));
  bytes.set(source);
  return bytes;
}

function scanned(bytes: Uint8Array, stepBytes: number): TopLevel {
  const scanner = new JsonScanner();
  for (let length = stepBytes; length < bytes.length; length += stepBytes) {
    scanner.grown(bytes, length);
  }
  scanner.grown(bytes, bytes.length);
  const top = scanner.finish(bytes, bytes.length);
  if ("reason" in top) throw new Error(`${top.reason} at ${top.offset}`);
  return top;
}

const chatText = JSON.stringify({
  model: "openai/gpt-5.1",
  stream: true,
  max_tokens: 1024,
  temperature: 0.7,
  messages: [
    { role: "system", content: "You are a helpful assistant. ".repeat(6) },
    { role: "user", content: 'Tell me a story about a "dragon".\n'.repeat(12) },
    { role: "assistant", content: "Once upon a time… ".repeat(4) },
    { role: "user", content: "go on" },
  ],
});
const chat = shared(chatText);
const base64 = shared(`{"image":"${"QUJD".repeat((10 * MB) / 4)}"}`);
const prose = shared(
  JSON.stringify({ text: 'It\'s said that "prose"\nbreaks often. '.repeat(25_000) }),
);
const chinese = shared(JSON.stringify({ text: "你好世界。".repeat(66_000) }));
const escaped = shared(`{"text":"${String.raw`\u4f60\u597d`.repeat(80_000)}"}`);
const numbers = shared(JSON.stringify(Array.from({ length: 50_000 }, (_, i) => Math.sin(i))));
const indented = shared(
  JSON.stringify(
    Array.from({ length: 10_000 }, (_, id) => ({ id, name: "abc", ok: true, none: null })),
    null,
    2,
  ),
);

const bench = new Bench({ time: 300, warmupTime: 200 });
const bytesOf = new Map<string, number>();
function add(name: string, bytes: number, run: () => unknown): void {
  bytesOf.set(name, bytes);
  bench.add(name, () => void run());
}

for (const [name, body] of Object.entries({ chat, prose, chinese, escaped, numbers, indented })) {
  add(`scan ${name}`, body.length, () => scanned(body, body.length));
}
add("JSON.parse chat (for comparison)", chat.length, () => void JSON.parse(chatText));
for (const step of [base64.length, 64 * 1024, 1024, 1]) {
  add(`scan base64, ${step} bytes a time`, base64.length, () => scanned(base64, step));
}

const top = scanned(chat, chat.length);
const model = member("model");
const stream = member("stream");
function member(name: string): Member {
  const found = top.members.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}
add("decode model", 0, () => decodeString(chat, model.valueStart + 1, model.valueEnd - 1));
add("decode 10 MB of base64", base64.length, () => decodeString(base64, 10, base64.length - 2));
add("decode prose", prose.length, () => decodeString(prose, 9, prose.length - 2));
add("replace one member, remove one, add one", 0, () =>
  splice(chat, [
    { start: model.valueStart, end: model.valueEnd, replacement: encodeString("gpt-5.1") },
    ...memberEdits(top, [stream], ['"stream_options":{"include_usage":true}']),
  ]),
);

await bench.run();
console.table(
  bench.tasks.map((task) => {
    const { name, result } = task;
    if (result.state !== "completed") throw new Error(`${name}: ${result.state}`);
    const medianUs = result.latency.p50 * 1000;
    const bytes = bytesOf.get(name) ?? 0;
    return {
      name,
      "median µs": Number(medianUs.toPrecision(4)),
      "GB/s": bytes === 0 ? "" : Number((bytes / medianUs / 1000).toPrecision(3)),
    };
  }),
);
