import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { FigureBook } from "../../bench/macro/figure-book.ts";
import { EventReader } from "../../bench/macro/generator/event-reader.ts";
import { ResponseReader } from "../../bench/macro/generator/response-reader.ts";
import { uniqueMark, UniqueText } from "../../bench/macro/generator/request.ts";
import { macroGoals } from "../../bench/macro/goals.ts";
import {
  cpuMs,
  descendants,
  nanosecondsOf,
  reapedCpuMs,
  statusBytes,
} from "../../bench/macro/process-tree.ts";
import { streamText } from "../../bench/macro/provider/answers.ts";
import { behaviourOf, pathOf, type Behaviour } from "../../bench/macro/provider/behaviour.ts";
import { quantile } from "../../bench/macro/statistics.ts";
import { luaScript, readSummary } from "../../bench/macro/wrk.ts";
import { smallChat } from "../../bench/macro/bodies.ts";
import { figure } from "./figures.ts";

/** The bytes cut at these places. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % bytes.length), bytes.length];
  ends.sort((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });

describe("the load generator's reader of responses", () => {
  const responses = Buffer.from(
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" +
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1a\r\n" +
      "abcdefghijklmnopqrstuvwxyz\r\n0\r\nTrailer: x\r\n\r\n" +
      "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n",
  );

  function read(pieces: readonly Buffer[]): string {
    let told = "";
    const reader = new ResponseReader({
      head: (status) => (told += `${status}:`),
      body: (bytes) => (told += bytes.toString()),
      end: () => (told += ";"),
    });
    for (const piece of pieces) reader.read(piece);
    return told;
  }

  it("gives the same whatever way the bytes are cut", () => {
    fc.assert(
      fc.property(cuts, (places) => {
        expect(read(cut(responses, places))).toBe(
          "200:hello;200:abcabcdefghijklmnopqrstuvwxyz;503:;",
        );
      }),
    );
  });

  it("does not guess where a response without a length ends", () => {
    expect(() => read([Buffer.from("HTTP/1.1 200 OK\r\n\r\n")])).toThrow(/neither length/);
  });
});

describe.each(["chat", "messages"] as const)("the reader of %s events", (wire) => {
  const { begin, event, end } = streamText[wire];
  const stream = Buffer.from(begin + event(11) + event(222) + event(3_333) + end);

  it("finds every event and the end whatever way the bytes are cut", () => {
    fc.assert(
      fc.property(cuts, (places) => {
        const sent: number[] = [];
        const reader = new EventReader((sentUs) => sent.push(sentUs));
        for (const piece of cut(stream, places)) reader.read(piece);
        expect([sent, reader.sawEnd]).toEqual([[11, 222, 3_333], true]);
      }),
    );
  });

  it("counts the events that come alone", () => {
    const reader = new EventReader(() => {});
    for (const read of [begin + event(1), event(2) + event(3), event(4), end]) {
      reader.newRead();
      reader.read(Buffer.from(read));
    }
    reader.newRead();
    expect([reader.events, reader.alone]).toEqual([4, 2]);
  });

  it("does not take a stream that was cut off for a whole one", () => {
    const reader = new EventReader(() => {});
    reader.read(Buffer.from(begin + event(1) + event(2)));
    expect(reader.sawEnd).toBe(false);
  });
});

describe("the kernel's accounts", () => {
  test("nanoseconds on a core", () =>
    expect(nanosecondsOf("396182910 257951307 1068\n")).toBe(396182910));

  test("memory", () => {
    const status = "Name:\tnode\nVmHWM:\t  812 kB\nVmRSS:\t  640 kB\n";
    expect([statusBytes(status, "VmRSS"), statusBytes(status, "VmHWM")]).toEqual([
      655_360, 831_488,
    ]);
  });

  test("children that were waited for, whatever the program is called", () => {
    const stat = "77 (a ) b) S 1 77 77 0 -1 4194560 1 2 3 4 50 60 7 8 20 0 1 0 9";
    expect(reapedCpuMs(stat)).toBe(150);
  });

  test("a process with all that it has started", () => {
    const parents = new Map([
      [5, 1],
      [6, 5],
      [7, 6],
      [8, 1],
      [9, 5],
    ]);
    expect(new Set(descendants(5, parents))).toEqual(new Set([5, 6, 7, 9]));
  });

  test("CPU between two readings, with threads that came in between", () => {
    const before = new Map([
      [1, 100],
      [2, 10],
    ]);
    const after = new Map([
      [1, 130],
      [2, 15],
      [3, 4],
    ]);
    expect(cpuMs(before, after)).toBe(39);
    expect(cpuMs(before, after, new Set([2, 3]))).toBe(9);
  });
});

test.each<readonly [Behaviour, string]>([
  [{ kind: "json", delayMs: 0 }, "/json/0/0"],
  [{ kind: "sink" }, "/sink/0/0"],
  [{ kind: "checked-sink" }, "/checked-sink/0/0"],
  [{ kind: "events", count: 150, everyMs: 10 }, "/events/150/10"],
])("the provider is told by a path to behave as %j", (behaviour, path) => {
  expect(pathOf(behaviour)).toBe(path);
  expect(behaviourOf(`${path}/v1/chat/completions`)).toEqual(behaviour);
});

test("a path that says nothing of it", () => {
  expect(behaviourOf("/v1/chat/completions")).toBeUndefined();
});

test.each([
  [[5], 0.99, 5],
  [[1, 2, 3, 4, 5], 0.5, 3],
  [[4, 1, 3, 2], 0.5, 2.5],
  [[10, 20], 0.9, 19],
])("of %j the quantile %d is %d", (values, q, is) => expect(quantile(values, q)).toBeCloseTo(is));

describe("a text with a number of its own", () => {
  it("is another each time, and never longer", () => {
    const texts = new UniqueText(`a ${uniqueMark} b`);
    const made = Array.from({ length: 100 }, () => texts.next());
    expect(new Set(made).size).toBe(100);
    expect(new Set(made.map(({ length }) => length)).size).toBe(1);
  });

  it("is as long in every kind of small request", () => {
    const kinds = ["seen", "new", "unscanned"] as const;
    expect(new Set(kinds.map((kind) => smallChat("bench", kind).length)).size).toBe(1);
  });
});

describe("wrk", () => {
  test("its summary", () => {
    const output = "Running 1s test\nweir-bench 1000 250000 3 1 850 9100\n";
    expect(readSummary(output)).toEqual({
      answered: 997,
      failed: 4,
      bytes: 250_000,
      p50Ms: 0.85,
      p99Ms: 9.1,
    });
    expect(() => readSummary("unable to connect")).toThrow(/without a summary/);
  });

  test("a body that is the same each time is built once, another one is not", () => {
    const target = { port: 1, path: "/v1", headers: { "X-A": "b" } };
    expect(luaScript(target, "{}")).toContain('wrk.body = "{}"');
    expect(luaScript(target, `{"n":"${uniqueMark}"}`)).toContain("request = function()");
  });
});

describe("the figures", () => {
  const part = { load: "json/16", subject: "weir, own keys", group: "g" };
  const value = { what: "cpu", label: "CPU", unit: "µs", better: "lower" } as const;

  it("gathers the rounds of one id", () => {
    const book = new FigureBook(() => {});
    book.add(part, { ...value, value: 1 });
    book.add(part, { ...value, value: 2 });
    expect(book.figures()).toMatchObject([
      { id: "macro/json/16/cpu/weir-own-keys", rounds: [1, 2] },
    ]);
  });

  it("shows a load that failed as failed, and none of its values", () => {
    const book = new FigureBook(() => {});
    book.add(part, { ...value, value: 1 });
    book.add({ ...part, subject: "nginx" }, { ...value, value: 1 });
    book.fail(part, "status 500");
    expect(book.figures()).toMatchObject([
      { subject: "nginx" },
      { id: "macro/failed/json/16/weir-own-keys", note: "status 500" },
    ]);
  });
});

describe("the goals", () => {
  const reached = (
    label: string,
    rounds: Readonly<Record<string, readonly number[]>>,
  ): number | null => {
    const figures = Object.entries(rounds).map(([id, each]) => figure(each, { id: `macro/${id}` }));
    const goal = macroGoals.find((each) => each.label === label);
    if (goal === undefined) throw new Error(`no goal is called ${label}`);
    return goal.value(figures);
  };

  it("compares what was measured in the same round", () => {
    const label = "CPU per small request ÷ uWS + undici, each text scored: weir, own keys";
    const rounds = {
      "json/16/cpu/weir-own-keys": [40, 400, 44],
      "json/16/cpu/uws-undici": [10, 100, 11],
    };
    expect(reached(label, rounds)).toBe(4);
  });

  it("takes a request that was sent before by itself", () => {
    const label = "CPU per small request ÷ uWS + undici, request sent before: weir, own keys";
    expect(
      reached(label, {
        "json/16/cpu/weir-own-keys": [30],
        "json/16/cpu-seen/weir-own-keys": [20],
        "json/16/cpu/uws-undici": [10],
      }),
    ).toBe(2);
  });

  it("takes what the bare proxy adds off an added latency", () => {
    const label = "Added latency p50 over uWS + undici, JSON, request sent before: weir, own keys";
    expect(
      reached(label, {
        "latency/json/added-seen/weir-own-keys": [0.3],
        "latency/json/added/uws-undici": [0.1],
      }),
    ).toBeCloseTo(0.2);
  });

  it("tells what an old turn costs beside a new one", () => {
    const label = "Scan: an old turn of a conversation ÷ a new one";
    expect(
      reached(label, {
        "conversation/scan-4/weir-own-keys": [100],
        "conversation/scan-38/weir-own-keys": [134],
        "conversation/scan-unseen/weir-own-keys": [460],
      }),
    ).toBeCloseTo(0.1);
  });

  it("says nothing of what was not measured", () => {
    expect(macroGoals.map(({ value }) => value([]))).toEqual(macroGoals.map(() => null));
  });
});
