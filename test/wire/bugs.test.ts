import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { UsageReservation } from "../../src/pipeline/limits/usage-reservation.ts";
import { Payment } from "../../src/pipeline/money/payment.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";

let gateway: TestGateway;
let audit: AuditApi;

beforeAll(async () => {
  gateway = await startGateway();
  audit = new AuditApi(gateway);
});
afterAll(() => gateway.stop());
afterEach(() => vi.restoreAllMocks());

const bug = (): never => {
  throw new Error("a bug that names sk-gw-123");
};
const beforeTheCall = (): unknown => vi.spyOn(Payment, "open").mockImplementation(bug);
const behindTheAnswer = (): unknown =>
  vi.spyOn(UsageReservation.prototype, "end").mockImplementation(bug);

const messages = [{ role: "user", content: "hi" }];
const chat = { model: "demo/echo", max_tokens: 10, messages };
const scan = { input: "hi" };
const params = { name: "security_scan", arguments: scan };
const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };

test.each([
  ["a model request", "/v1/chat/completions", chat, beforeTheCall, 500, "request.failed"],
  ["a request that was served", "/v1/messages", chat, behindTheAnswer, 200, "request.failed"],
  ["a scan", "/v1/security/scan", scan, beforeTheCall, 500, "scan.failed"],
  ["a scan over MCP", "/v1/security/mcp", call, beforeTheCall, 500, "scan.failed"],
])("%s that meets a bug leaves its record", async (_, path, body, breaks, status, eventType) => {
  breaks();
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status).toBe(status);
  if (status === 500) expect(JSON.parse(text)).toMatchObject({ error: { code: "internal_error" } });
  const event = await audit.eventOf(response.headers.get("x-svc-request-id") ?? "");
  expect(event).toMatchObject({ event_type: eventType, data: { error_code: "internal_error" } });
  expect(JSON.stringify([text, event])).not.toContain("a bug");
  const api = new KeysApi(gateway);
  const { body: balance } = await api.call("GET", `orgs/${await api.firstOrganization()}/balance`);
  expect(balance?.["holds"]).toBe(0);
});
