import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { microUsd } from "../../../src/contract/money.ts";
import { policyRecord } from "../../../src/pipeline/record/policy-record.ts";
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

  test("tells everything that is known, in this order", () => {
    const line = lineOf("info", (record) => {
      Object.assign(record, {
        orgId: "org_1",
        apiKeyId: "key_1",
        ownKeys: true,
        model: "größer",
        provider: "openai",
        account: "main",
        attempts: 2,
        upstreamStatus: 503,
        upstreamError: "ECONNRESET",
        stream: true,
        cache: "miss",
        end: "complete",
        clientGone: true,
        bytesIn: 12,
        injection: { verdict: "allow", score: 0.07, reason_code: "below_threshold" },
        bodyMs: 0.25,
        queueMs: 0.5,
        scanMs: 1e-7,
        upstreamMs: 1234.5678,
        cost: {
          costMicroUsd: microUsd(31n),
          status: "calculated",
          assumedPrice: "gpt-5",
          serviceTier: null,
        },
        policy: {
          ...policyRecord({ id: "default", version: 3, dryRun: true }),
          action: "redact",
          actions: { input: "redact", output: "flag" },
          input: { pii: 2 },
          output: { 'custom:"x"': 1 },
          replaced: 4,
        },
      });
    });
    const { time, ...members } = JSON.parse(line) as Record<string, unknown>;
    expect(line).toBe(`${JSON.stringify({ level: 30, time, ...members })}\n`);
    expect(line).toBe(
      `{"level":30,"time":${Number(time)},"request_id":"r-1","route":"chat","method":"POST",` +
        `"status":0,"error_code":null,"org_id":"org_1","api_key_id":"key_1","own_keys":true,` +
        `"model":"größer","provider":"openai","account":"main","attempts":2,` +
        `"upstream_status":503,"upstream_error":"ECONNRESET","cost_status":"calculated",` +
        `"cost_usd":"0.000031","assumed_price":"gpt-5","stream":true,"cache":"miss",` +
        `"end":"complete","client_gone":true,"verdict":"allow","score":0.07,` +
        `"policy":{"id":"default","version":3,"dryRun":true,"action":"redact",` +
        `"actions":{"input":"redact","output":"flag"},"input":{"pii":2},` +
        `"output":{"custom:\\"x\\"":1},"replaced":4},"bytes_in":12,"bytes_out":0,` +
        `"body_ms":0.25,"queue_ms":0.5,"scan_ms":1e-7,"upstream_ms":1234.5678,` +
        `"total_ms":1.5,"msg":"request"}\n`,
    );
  });

  test("is not written where the log's level is above info", () => {
    expect(lineOf("warn", () => undefined)).toBe("");
  });
});
