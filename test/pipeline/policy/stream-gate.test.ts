import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Refusal } from "../../../src/contract/errors.ts";
import {
  policyEventTextsMax,
  policyBufferedBytesMax,
  policyOpenTextsMax,
  policyUnsearchedBytesMax,
} from "../../../src/contract/limits.ts";
import { accept } from "../../../src/contract/outcome.ts";
import type { Wire } from "../../../src/contract/wire.ts";
import { CustomPatternCache } from "../../../src/detectors/custom-pattern-cache.ts";
import { editText } from "../../../src/json/escaped-text.ts";
import type { CallerPolicy } from "../../../src/pipeline/policy/caller-policy.ts";
import { policyRecord } from "../../../src/pipeline/record/policy-record.ts";
import type { SearchSteps } from "../../../src/pipeline/policy/stream-gate.ts";
import { streamRules } from "../../../src/pipeline/policy/stream-rules.ts";
import { StreamText } from "../../../src/pipeline/policy/stream-text.ts";
import { searchJson, searchText } from "../../../src/workers/redact/json-search.ts";
import type { PatternRule, PolicyRules } from "../../../src/workers/redact/rules.ts";
import { searchStep } from "../../../src/workers/redact/step-search.ts";
import { TextSearch, type SearchTools } from "../../../src/workers/redact/text-search.ts";
import { anyPattern, boundedPattern } from "../../detectors/patterns.ts";
import {
  anyStreamed,
  chatEvents,
  inChunks,
  messagesEvents,
  sse,
  textsOf,
  type Streamed,
} from "./streamed-texts.ts";

const tools: SearchTools = {
  cache: new CustomPatternCache(),
  entities: () => {
    throw new Error("no entities here");
  },
};

const search: SearchSteps = async ({ steps, rules }) => {
  await new Promise((resolve) => setImmediate(resolve));
  const texts = new TextSearch(rules, tools);
  return accept(steps.map((step) => searchStep(step, texts)));
};

interface Gated {
  readonly out: string;
  /** What had gone out after each chunk, once the searches were over. */
  readonly outAfter: readonly string[];
  readonly refusal: Refusal | null;
  readonly found: unknown;
}

const policyOf = (output: PolicyRules): CallerPolicy => ({
  id: "p",
  version: 1,
  injection: { action: "block", sensitivity: "balanced" },
  dryRun: false,
  input: null,
  output,
});

/** The last `lastRead` chunks come in one read of the socket, with the end behind them. */
async function gated(
  wire: Wire,
  rules: PolicyRules,
  chunks: readonly Buffer[],
  lastRead = 0,
): Promise<Gated> {
  const policy = policyOf(rules);
  const record = policyRecord(policy);
  const written: Buffer[] = [];
  const outAfter: string[] = [];
  const text = (): string => Buffer.concat(written).toString();
  const refusal = await new Promise<Refusal | null>((resolve) => {
    const gate = streamRules(policy, search, record)?.open(wire, {
      write: (bytes) => void written.push(Buffer.from(bytes)),
      roomAgain: () => undefined,
      blocked: resolve,
      finished: () => resolve(null),
    });
    const feed = async (): Promise<void> => {
      for (const [index, chunk] of chunks.entries()) {
        gate?.push(chunk);
        if (index >= chunks.length - lastRead) continue;
        for (let turns = 0; turns < 4; turns++) await new Promise((turn) => setImmediate(turn));
        outAfter.push(text());
      }
      gate?.finish();
    };
    void feed();
  });
  return { out: text(), outAfter, refusal, found: record.output };
}

const redact = (regex: string, redactionToken = "[X]"): PatternRule => ({
  regex,
  action: "redact",
  redactionToken,
});
const rulesWith = (...patterns: PatternRule[]): PolicyRules => ({ entities: [], patterns });

/** The redaction of each whole text; null: something blocks. */
function redactedWhole(
  rules: PolicyRules,
  texts: Readonly<Record<string, Streamed>>,
): Record<string, string> | null {
  const whole = new TextSearch(rules, tools);
  const redacted: Record<string, string> = {};
  for (const [name, { kind, pieces }] of Object.entries(texts)) {
    const text = pieces.join("");
    const { findings, edits } = (kind === "text" ? searchText : searchJson)(text, whole);
    if (findings.some(({ action }) => action === "block")) return null;
    redacted[name] = editText(text, edits);
  }
  return redacted;
}

const someRules = fc
  .array(fc.oneof(boundedPattern, boundedPattern, anyPattern), { minLength: 1, maxLength: 3 })
  .map((patterns) => rulesWith(...patterns.map((regex, i) => redact(regex, `<"${i}\\>`))));

/** What a stream says to its client is what the redaction of its whole texts says. */
async function holds(
  wire: Wire,
  rules: PolicyRules,
  texts: Readonly<Record<string, Streamed>>,
  chunks: readonly Buffer[],
): Promise<void> {
  const expected = redactedWhole(rules, texts);
  const { out, refusal } = await gated(wire, rules, chunks);
  expect(refusal?.code ?? null).toBe(expected === null ? "security_blocked" : null);
  if (expected !== null) expect(textsOf(out)).toEqual(expected);
}

describe("a stream under patterns that redact says what the redaction of the whole says", () => {
  it("on chat, however it is split", async () => {
    const someChoices = fc.array(fc.array(anyStreamed, { maxLength: 2 }), {
      minLength: 1,
      maxLength: 2,
    });
    const cases = fc
      .tuple(someRules, someChoices)
      .chain(([rules, choices]) =>
        fc.tuple(fc.constant(rules), fc.constant(choices), inChunks(chatEvents(choices).join(""))),
      );
    await fc.assert(
      fc.asyncProperty(cases, async ([rules, choices, chunks]) => {
        const texts: Record<string, Streamed> = {};
        for (const [choice, list] of choices.entries()) {
          for (const [at, { kind, pieces }] of list.entries()) {
            const name = kind === "text" ? `${choice}` : `${choice}.${at}`;
            texts[name] = { kind, pieces: [...(texts[name]?.pieces ?? []), ...pieces] };
          }
        }
        await holds("chat", rules, texts, chunks);
      }),
      { numRuns: 300 },
    );
  });

  it("on messages, however it is split", async () => {
    const cases = fc
      .tuple(someRules, fc.array(anyStreamed, { minLength: 1, maxLength: 3 }))
      .chain(([rules, blocks]) =>
        fc.tuple(
          fc.constant(rules),
          fc.constant(blocks),
          inChunks(messagesEvents(blocks).join("")),
        ),
      );
    await fc.assert(
      fc.asyncProperty(cases, async ([rules, blocks, chunks]) => {
        await holds("messages", rules, Object.fromEntries(blocks.entries()), chunks);
      }),
      { numRuns: 300 },
    );
  });
});

const chatText = (...pieces: string[]): string[] => chatEvents([[{ kind: "text", pieces }]]);
const buffers = (events: readonly string[]): Buffer[] => events.map((event) => Buffer.from(event));

describe("a stream under rules", () => {
  it.each(["chat", "messages"] as const)(
    "goes on to its last event where several without text come in one read (%s)",
    async (wire) => {
      const text: Streamed = { kind: "text", pieces: ["a", "b"] };
      const events = wire === "chat" ? chatEvents([[text]]) : messagesEvents([text]);
      const usage = wire === "chat" ? { choices: [], usage: {} } : { type: "message_delta" };
      events.splice(-1, 0, sse(usage));
      const rules = rulesWith(redact("Q{3}"));
      const { out } = await gated(wire, rules, buffers(events), 2);
      expect(out).toBe(events.join(""));
    },
  );

  it("passes byte for byte where nothing is found", async () => {
    const odd = String.raw`{ "id":1.0, "choices":[{"index":0,"delta":{"content":"\u0041\/ PRJ"}}] }`;
    const events = [
      ": comment\n\n",
      `event: x\r\ndata: ${odd}\r\n\r\n`,
      ...chatText("-", "a", "b PRJ-x"),
    ];
    const rules = rulesWith(redact("PRJ-[0-9]+"), redact("Q{3}"));
    const { out, refusal } = await gated("chat", rules, buffers(events));
    expect(refusal).toBeNull();
    expect(out).toBe(events.join(""));
  });

  it("keeps back no more than a match could still grow", async () => {
    const events = chatText("abcdefgh", "i", "PRJ-1", "2", "3", "4x", "y", "z");
    const rules = rulesWith(redact("PRJ-[0-9]{1,3}"));
    const { out, outAfter } = await gated("chat", rules, buffers(events));
    // Seven characters and one more stay, and with them the event that they begin in.
    expect(outAfter.slice(0, 5).map((sent) => textsOf(sent)["0"])).toEqual([
      undefined,
      undefined,
      undefined,
      "abcdefgh",
      "abcdefghi",
    ]);
    expect(textsOf(out)).toEqual({ 0: "abcdefghi[X]4xyz" });
  });

  it("lets nothing of a match leave that is split over events", async () => {
    const events = chatText("a P", "R", "J", "-", "17", " b");
    for (const action of ["block", "redact"] as const) {
      const rules = rulesWith({ ...redact("PRJ-[0-9]{2}"), action });
      const { out, refusal } = await gated("chat", rules, buffers(events));
      expect(textsOf(out)["0"] ?? "").not.toContain("P");
      expect(refusal?.code).toBe(action === "block" ? "security_blocked" : undefined);
    }
  });

  it.each(["^b{3}", String.raw`\bb{3}`, String.raw`\Bb{3}$`])(
    "%s: sees what stood before",
    async (regex) => {
      const events = chatText("aaaa", "aaaa", "aabbb", "cccc", "cccc");
      const { out } = await gated("chat", rulesWith(redact(regex)), buffers(events));
      expect(textsOf(out)).toEqual({ 0: "aaaaaaaaaabbbcccccccc" });
    },
  );

  it("ends no text for a finish reason that is none yet", async () => {
    const event = (content: string): string =>
      sse({ choices: [{ index: 0, delta: { content }, finish_reason: "" }] });
    const events = [event("PRJ-"), event("17"), ...chatText()];
    const { out } = await gated("chat", rulesWith(redact("PRJ-[0-9]{2}")), buffers(events));
    expect(textsOf(out)).toEqual({ 0: "[X]" });
  });

  it("redacts arguments that come as an object, also behind a text that is buffered", async () => {
    const call = (args: object): string =>
      sse({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: args }] } }] });
    const first = { project: "PRJ-17", note: "longer than a match" };
    const events = [
      ...chatText("Let me call it").slice(0, 1),
      call({ name: "f", arguments: first }),
      call({ arguments: { ...first, project: "a PRJ-18" } }),
      ...chatText(),
    ];
    const { out } = await gated("chat", rulesWith(redact("PRJ-[0-9]{2}")), buffers(events));
    expect(out).toBe(events.join("").replace(/PRJ-../g, "[X]"));
  });

  it("lets a tool call begin before its arguments have come", async () => {
    const events = messagesEvents([{ kind: "arguments", pieces: ['{"a":', "1}"] }]);
    const rules = rulesWith(redact("PRJ-[0-9]{2}"));
    const { outAfter } = await gated("messages", rules, buffers(events.slice(0, 4)));
    expect(outAfter.at(-1)).toBe(events.slice(0, 3).join(""));
  });

  it("holds a block for a pattern without a bound, and blocks over the bound", async () => {
    const rules = rulesWith(redact("PRJ-[0-9]+"));
    const short = await gated("chat", rules, buffers(chatText("a ", "PRJ-", "1", "7")));
    expect(short.outAfter[3]).toBe("");
    expect(textsOf(short.out)).toEqual({ 0: "a [X]" });
    const long = chatText(...Array.from({ length: 300 }, () => "x".repeat(1_000)));
    const { refusal } = await gated("chat", rules, buffers(long));
    expect(refusal?.code).toBe("security_blocked");
  });

  it("blocks over a bound of events that are buffered, however little text they have", async () => {
    const id = "x".repeat(64 * 1024);
    const event = { id, choices: [{ index: 0, delta: { content: "a" } }] };
    const chunk = Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
    const chunks = Array.from({ length: policyBufferedBytesMax / id.length + 1 }, () => chunk);
    const { out, refusal } = await gated("chat", rulesWith(redact("a.*b")), chunks);
    expect([out, refusal?.code]).toEqual(["", "security_blocked"]);
  });

  it("blocks over a bound of texts that go on at once", async () => {
    const event = (index: number): string => sse({ choices: [{ index, delta: { content: "" } }] });
    const few = Array.from({ length: policyOpenTextsMax }, (_, index) => event(index));
    const rules = rulesWith(redact("PRJ-[0-9]{2}"));
    const stream = (events: readonly string[]) =>
      gated("chat", rules, [Buffer.from(events.join(""))]);
    expect((await stream([...few, ...few])).refusal).toBeNull();
    expect((await stream([...few, event(few.length)])).refusal?.code).toBe("security_blocked");
  });

  it("asks only texts of which something has come", async () => {
    const asked = vi.spyOn(StreamText.prototype, "nextStep");
    const many = Array.from({ length: 50 }, () => [{ kind: "text", pieces: ["a", "b"] }] as const);
    const events = chatEvents(many);
    await gated("chat", rulesWith(redact("PRJ-[0-9]{2}")), buffers(events));
    // Each event brings or ends one text.
    expect(asked.mock.calls.length).toBeLessThanOrEqual(events.length);
    asked.mockRestore();
  });

  it("says that there is room again though what came meanwhile can't be searched yet", async () => {
    const policy = policyOf(rulesWith(redact("PRJ-[0-9]+")));
    const id = "x".repeat(1_024);
    const long = Array.from({ length: (3 * policyUnsearchedBytesMax) / id.length }, () =>
      sse({ id, choices: [{ index: 1, delta: { content: "a" } }] }),
    );
    const rest = buffers([...chatText("PRJ-1").slice(0, -1), ...long, "data: [DONE]\n\n"]);
    let stops = 0;
    await new Promise<void>((resolve, reject) => {
      // As a connection that goes on at once, with what it has read before.
      const goOn = (): void => {
        for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
          if (gate?.push(next) !== false) continue;
          stops += 1;
          return;
        }
        gate?.finish();
      };
      const gate = streamRules(policy, search, policyRecord(policy))?.open("chat", {
        write: () => undefined,
        roomAgain: goOn,
        blocked: reject,
        finished: resolve,
      });
      goOn();
    });
    expect(stops).toBeGreaterThan(1);
  });

  it("lets pings go before what is buffered", async () => {
    const events = messagesEvents([{ kind: "text", pieces: ["PRJ"] }]);
    const chunks = buffers([...events.slice(0, 4), events[2] ?? ""]);
    const { outAfter } = await gated("messages", rulesWith(redact("PRJ-[0-9]+")), chunks);
    expect(outAfter.at(-1)?.match(/event: ping/g)).toHaveLength(2);
    expect(textsOf(outAfter.at(-1) ?? "")).toEqual({});
  });

  it("lets no ping go before what came with it and is not buffered", async () => {
    const events = messagesEvents([{ kind: "text", pieces: ["PRJ"] }]).slice(0, 4);
    const [start = "", block = "", ping = "", text = ""] = events;
    expect(ping).toContain("ping");
    const rules = rulesWith(redact("PRJ-[0-9]+"));
    const together = [Buffer.from([start, ping, block, text, ping].join(""))];
    const { outAfter } = await gated("messages", rules, together);
    expect(outAfter).toEqual([[start, ping, block, ping].join("")]);
  });

  const thinking = { type: "thinking_delta", thinking: "PRJ-1 " };
  it.each<[name: string, wire: Wire, event: string]>([
    [
      "thinking, which is signed at its end",
      "messages",
      sse({ type: "content_block_delta", index: 0, delta: thinking }),
    ],
    ["what is no JSON", "chat", "data: PRJ\n\n"],
    [
      "an event of more texts than can be read",
      "messages",
      sse({ list: Array.from({ length: policyEventTextsMax + 1 }, () => "a") }),
    ],
    ["what is no object", "chat", "data: [1]\n\n"],
    [
      "a text that stands twice",
      "chat",
      'data: {"choices":[{"index":0,"delta":{"content":"a","content":"b"}}]}\n\n',
    ],
  ])("blocks %s", async (_name, wire, event) => {
    const rules = rulesWith(redact("PRJ-[0-9]"));
    const { out, refusal } = await gated(wire, rules, buffers([event, event]));
    expect(refusal?.code).toBe("security_blocked");
    expect(out).toBe("");
  });

  it.each(["\n", "\r\n", "\r"])(
    "reads lines that end with %j, and data in several",
    async (end) => {
      const lines = [
        'data: {"choices":[{"index":0,"delta":',
        'data:{"content":"PRJ-1"},"logprobs":{"content":[{"token":"PRJ"}]}}]}',
      ];
      const event = [...lines, "", ""].join(end);
      const { out } = await gated("chat", rulesWith(redact("PRJ-[0-9]")), buffers([event]));
      const payload = '{"choices":[{"index":0,"delta": {"content":"[X]"},"logprobs":null}]}';
      expect(out).toBe(`data: ${payload}${end}${end}`);
    },
  );

  it("only counts where rules only flag, and writes nothing", async () => {
    const rules = rulesWith({ ...redact("PRJ-[0-9]"), action: "flag" });
    const { out, refusal, found } = await gated(
      "chat",
      rules,
      buffers(chatText("PR", "J-1 PRJ-2")),
    );
    expect([out, refusal, found]).toEqual(["", null, { custom_pattern: 2 }]);
  });
});

describe("a stream whose rules only watch", () => {
  const flags = rulesWith({ ...redact("PRJ-[0-9]"), action: "flag" });
  const first = Buffer.from(chatText("PRJ-1 ")[0] ?? "");
  const last = Buffer.from(chatText("PRJ-2 ")[0] ?? "");
  const filling = (bytes: number): Buffer =>
    Buffer.from(`:${"x".repeat(bytes - last.length - 3)}\n\n${last.toString()}`);

  it.each([
    ["as far as the bound", policyBufferedBytesMax, { custom_pattern: 2 }, 2],
    ["a byte over it", policyBufferedBytesMax + 1, {}, 1],
  ])("that falls behind %s", async (_name, bytes, found, searches) => {
    const { promise: buffered, resolve: letGo } = Promise.withResolvers<null>();
    const searched = vi.fn<SearchSteps>(async (job) => {
      await buffered;
      return search(job);
    });
    const { gate, record, ended } = opened(flags, searched);
    expect(gate.push(first)).toBe(true);
    const filled = filling(bytes);
    expect(filled.length).toBe(bytes);
    expect(gate.push(filled)).toBe(true);
    letGo(null);
    gate.finish();
    expect(await ended).toBe("finished");
    expect(record.output).toEqual(found);
    expect(searched).toHaveBeenCalledTimes(searches);
  });
});

describe("a search that throws", () => {
  const throws: SearchSteps = () => Promise.reject(new Error("a bug"));
  const chunk = Buffer.from(chatText("PRJ-1 ")[0] ?? "");

  it("ends a stream that is buffered", async () => {
    const { gate, written, ended } = opened(rulesWith(redact("PRJ-[0-9]")), throws);
    gate.push(chunk);
    expect(await ended).toBe("internal_error");
    expect(written).toEqual([]);
  });

  it.each([false, true])("ends no stream that is watched (at its end: %s)", async (atEnd) => {
    const flags = rulesWith({ ...redact("PRJ-[0-9]"), action: "flag" });
    const { gate, ended } = opened(flags, throws);
    gate.push(chunk);
    if (!atEnd) await new Promise((turn) => setImmediate(turn));
    gate.finish();
    expect(await ended).toBe("finished");
  });
});

/** A gate of chat, with its search; `ended`: `finished`, or the code with which it blocked. */
function opened(rules: PolicyRules, searched: SearchSteps) {
  const policy = policyOf(rules);
  const record = policyRecord(policy);
  const written: Buffer[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const gate = streamRules(policy, searched, record)?.open("chat", {
    write: (bytes) => void written.push(bytes),
    roomAgain: () => undefined,
    blocked: ({ code }) => resolve(code),
    finished: () => resolve("finished"),
  });
  if (gate === undefined) throw new Error("no gate");
  return { gate, record, written, ended };
}
