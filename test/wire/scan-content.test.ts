import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditContent, AuditEventRow } from "../../src/contract/audit-api.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { statusWhen, submit } from "../endpoints/batch/batch-client.ts";
import { post } from "../endpoints/mcp/mcp-client.ts";

let gateway: TestGateway;
let audit: AuditApi;

beforeAll(async () => {
  gateway = await startGateway();
  audit = new AuditApi(gateway);
});
afterAll(() => gateway.stop());

type Scan = Readonly<Record<string, unknown>>;

/** Runs one scan over a route and says what it is recorded as. */
const routes: Readonly<Record<string, (scan: Scan) => Promise<AuditEventRow>>> = {
  rest: async (scan) => {
    const response = await fetch(`${gateway.url}/v1/security/scan`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify(scan),
    });
    expect(response.status).toBe(200);
    return audit.eventOf(response.headers.get("x-svc-request-id") ?? "");
  },
  batch: async (scan) => {
    const caller = { url: gateway.url, key: gateway.key };
    const jobId = await submit(caller, [
      { id: "other", input: "another text" },
      { id: "one", ...scan },
    ]);
    await statusWhen(caller, jobId, ({ status }) => status === "completed");
    return audit.eventOf(`${jobId}/1`);
  },
  mcp: async (scan) => {
    const params = { name: "security_scan", arguments: scan };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const response = await post(gateway, message, { "mcp-protocol-version": "2025-11-25" });
    expect(response.status).toBe(200);
    return audit.eventOf(response.headers.get("x-svc-request-id") ?? "");
  },
};

/** Content is written a little later than its event. */
async function contentOf({ index }: AuditEventRow): Promise<AuditContent> {
  for (;;) {
    const shown = (await audit.json(`events/${index}?reason=test`)) as {
      readonly data: { readonly content: AuditContent | null };
    };
    if (shown.data.content !== null) return shown.data.content;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function findingsIn({ response }: AuditContent): unknown {
  return JSON.parse(response?.text ?? "null");
}

describe.each(Object.entries(routes))("a scan over the route %s", (route, run) => {
  test.each([
    ["a text", { input: "my card" }, '"my card"'],
    [
      "a provider's request",
      {
        request: { model: "m", messages: [{ role: "user", content: "hi" }] },
        request_format: "openai",
      },
      '{"model":"m","messages":[{"role":"user","content":"hi"}]}',
    ],
  ])("keeps its submission and its findings: %s", async (_what, scan, text) => {
    const event = await run({ ...scan, categories: ["pii"] });
    const content = await contentOf(event);
    expect(content).toMatchObject({
      request: { text, encoding: "utf8", bytes: text.length, truncated: false },
      input_salt: null,
    });
    expect(findingsIn(content)).toMatchObject({ scan_id: event.data["scan_id"] });
    expect(findingsIn(content)).not.toHaveProperty("redacted_text");
    expect(event.data).toMatchObject({ route, type: "scan" });
    expect(event.data).not.toHaveProperty("input_sha256");
  });

  test("keeps with store_input: false a salted hash, and no text anywhere", async () => {
    const input = `Write to jane.${route}@example.com.`;
    const event = await run({ input, store_input: false, categories: ["pii"] });
    const content = await contentOf(event);
    const { request, input_salt } = content;
    expect(request).toBeNull();
    const end = 9 + `jane.${route}@example.com`.length;
    expect(findingsIn(content)).toMatchObject({
      scan_id: event.data["scan_id"],
      detections: [{ entity_type: "EMAIL_ADDRESS", start: 9, end }],
    });
    const hash = createHash("sha256").update(Buffer.from(input_salt ?? "", "hex"));
    expect(hash.update(JSON.stringify(input)).digest("hex")).toBe(event.data["input_sha256"]);
    expect(JSON.stringify(await audit.json(`events/${event.index}`))).not.toContain("jane");
  });

  test("says how long it waited for a thread, and how many tokens were submitted", async () => {
    const tool = { name: "f", description: "not scanned here" };
    const request = { messages: [{ role: "user", content: "hello there" }], metadata: tool };
    const event = await run({
      request,
      request_format: "openai",
      categories: ["prompt_injection"],
    });
    const { latencies_ms, input_tokens, usage } = event.data as {
      readonly latencies_ms: Readonly<Record<string, number>>;
      readonly input_tokens: number;
      readonly usage: { readonly uncachedInput: number };
    };
    expect(latencies_ms["queue"]).toBeGreaterThan(0);
    expect(latencies_ms["scan"]).toBeGreaterThan(0);
    expect(input_tokens).toBeGreaterThan(usage.uncachedInput);
    const csv = await audit.text("export.csv");
    const [head = "", ...lines] = csv.trimEnd().split("\r\n");
    const line = lines.find((one) => one.endsWith(`,${event.index},`)) ?? "";
    const column = (name: string) => line.split(",")[head.split(",").indexOf(name)];
    expect(column("input_tokens")).toBe(String(input_tokens));
    expect(column("billable_tokens")).toBe(String(usage.uncachedInput));
    expect(column("output_tokens")).toBe("0");
    const metrics = await (await fetch(`${gateway.keysUrl}/metrics`)).text();
    expect(metrics).toMatch(/^weir_scan_queue_seconds_count [1-9]/m);
  });
});
