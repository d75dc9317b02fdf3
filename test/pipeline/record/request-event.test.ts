import { expect, test } from "vitest";
import type { RelayEnd } from "../../../src/exchange/exchange.ts";
import { RequestRecord, type Route } from "../../../src/pipeline/record/record.ts";
import { requestEvent } from "../../../src/pipeline/record/request-event.ts";

test.each<[string, Route, RelayEnd | null, number, string]>([
  ["was answered", "chat", "complete", 200, "request.completed"],
  ["was read to its end for a client that left", "chat", "complete", 0, "request.completed"],
  ["was given up in the middle of its stream", "chat", "abandoned", 200, "request.completed"],
  ["was given up before its answer began", "passthrough", "abandoned", 0, "request.failed"],
  ["was scanned for a client that left", "rest", null, 0, "scan.completed"],
])("a request that %s", (_, route, end, status, expected) => {
  const record = new RequestRecord(route);
  record.orgId = "org_1";
  record.end = end;
  record.clientGone = status === 0;
  const event = requestEvent(record, { requestId: "req_1", status }, 5);
  expect(event?.eventType).toBe(expected);
});
