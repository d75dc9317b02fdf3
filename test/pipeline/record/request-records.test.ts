import { pino } from "pino";
import { expect, test } from "vitest";
import type { RequestEvent } from "../../../src/contract/request-event.ts";
import type { LogStream } from "../../../src/pipeline/record/log-stream.ts";
import { RequestRecord } from "../../../src/pipeline/record/record.ts";
import { requestRecords } from "../../../src/pipeline/record/request-records.ts";
import { lineOfPacked } from "../../../src/pipeline/record/request-log.ts";
import { ringBuffer, RingReader, RingWriter } from "../../../src/runtime/ring.ts";
import { Random } from "../../sim/random.ts";
import { SimulatedExchange } from "../../sim/simulated-exchange.ts";
import { VirtualTime } from "../../sim/virtual-time.ts";

test("every request has its audit event while the log's thread stands still", () => {
  const buffer = ringBuffer(2_048);
  const ring = new RingWriter(buffer);
  const stream: LogStream = {
    write: () => undefined,
    writePacked: (line) => void ring.write(line),
  };
  const logger = pino({ base: null }, stream);
  const events: RequestEvent[] = [];
  let observed = 0;
  const records = requestRecords({
    logger,
    metrics: { observe: () => (observed += 1) },
    ledger: { recordRequest: (event) => events.push(event) },
    contents: { keep: () => undefined },
    unowned: { note: () => undefined },
  });
  const ids = Array.from({ length: 50 }, (_, i) => `request-${i}`);
  for (const requestId of ids) {
    const request = { requestId, secret: "s", path: "/v1/chat/completions", body: "{}" };
    const exchange = new SimulatedExchange(request, new Random(1), new VirtualTime(), () => {});
    const record = new RequestRecord("chat");
    record.orgId = "org_1";
    records(record, exchange);
  }
  expect([events.map(({ requestId }) => requestId), observed]).toEqual([ids, 50]);
  // The lines that had room, and how many had none.
  const reader = new RingReader(buffer);
  const lines: string[] = [];
  for (let packed; (packed = reader.next()) !== null;) lines.push(lineOfPacked(packed));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines[0]).toContain('"request_id":"request-0"');
  expect(lines.length + reader.takeRefused()).toBe(50);
});
