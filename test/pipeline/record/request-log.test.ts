import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { RequestRecord } from "../../../src/pipeline/record/record.ts";
import { requestLog } from "../../../src/pipeline/record/request-log.ts";
import { Random } from "../../sim/random.ts";
import { SimulatedExchange } from "../../sim/simulated-exchange.ts";
import { VirtualTime } from "../../sim/virtual-time.ts";

function lineOf(level: string, fill: (record: RequestRecord) => void): string {
  const lines: string[] = [];
  const logger = pino({ level, base: null }, { write: (line: string) => lines.push(line) });
  const request = { requestId: "r-1", secret: "s", path: "/v1/chat/completions", body: "{}" };
  const exchange = new SimulatedExchange(request, new Random(1), new VirtualTime(), () => {});
  const record = new RequestRecord("chat");
  fill(record);
  requestLog(logger)(record, exchange, 1.5);
  return lines.join("");
}

describe("the line of a request", () => {
  test("is one line of JSON, with null for what is not known", () => {
    const line = lineOf("info", () => undefined);
    expect(line.endsWith("}\n")).toBe(true);
    expect(line.trimEnd()).not.toContain("\n");
    const { time, ...members } = JSON.parse(line) as Record<string, unknown>;
    expect(Math.abs(Number(time) - Date.now())).toBeLessThan(60_000);
    expect(members).toMatchObject({
      level: 30,
      request_id: "r-1",
      route: "chat",
      method: "POST",
      model: null,
      score: null,
      policy: null,
      scan_ms: null,
      total_ms: 1.5,
      msg: "request",
    });
  });

  test("escapes what a client has chosen", () => {
    const model = 'a"b\\c\n{"level":60}\u2028\ud800';
    const line = lineOf("info", (record) => {
      record.model = model;
      record.injection = {
        verdict: "flag",
        score: 0.25,
        reason_code: "between_strict_and_selected",
      };
    });
    expect(line.trimEnd()).not.toContain("\n");
    expect(JSON.parse(line)).toMatchObject({ model, verdict: "flag", score: 0.25 });
  });

  test("is not written where the log's level is above info", () => {
    expect(lineOf("warn", () => undefined)).toBe("");
  });
});
