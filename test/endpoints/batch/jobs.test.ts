import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerFaults } from "../../openapi/described-api.ts";
import { scan } from "../scan/scan-client.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi } from "../../support/keys-api.ts";
import { RawSocket } from "../../support/raw-socket.ts";
import { ended, getBatch, postBatch, statusOf, statusWhen, submit } from "./batch-client.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ config: { scan: { requestsPerMinute: 100_000 } } });
});
afterAll(() => gateway.stop());

const pattern = { name: "p", regex: "e", direction: "both", action: "flag" };
const path = "/v1/security/scan/batch";

describe("a job", () => {
  test("has a result each item, in the order of the submission, as the scan endpoint answers", async () => {
    const items = [
      { id: "mail", input: "Write to jane@example.com", categories: ["pii"] },
      {
        id: "request",
        request: { messages: [{ role: "user", content: "hi" }] },
        request_format: "openai",
      },
      {
        id: "parts",
        input: [{ type: "text", text: "see me", segment: "tool" }],
        custom_patterns: [pattern],
      },
    ];
    const jobId = await submit(gateway, items);
    const job = await ended(gateway, jobId);
    expect(job).toMatchObject({ status: "completed", item_count: 3, completed_count: 3 });
    expect(job.results.map(({ id }) => id)).toEqual(["mail", "request", "parts"]);
    for (const [i, item] of items.entries()) {
      const alone = await scan(gateway, { ...item, id: undefined });
      const result = job.results[i]?.result;
      expect({ ...result, scan_id: "" }).toEqual({ ...alone, scan_id: "" });
      expect(result).toHaveProperty("scan_id", job.results[i]?.scan_id);
    }
    expect(await answerFaults("GET", `${path}/{job_id}`, await getBatch(gateway, jobId))).toEqual(
      [],
    );
  });

  test("with store_input: false has results without text of the submission", async () => {
    const input = "Write to jane@example.com";
    const items = [true, false].map((store_input) => ({
      id: `${store_input}`,
      input,
      categories: ["pii"],
      store_input,
    }));
    const { results } = await ended(gateway, await submit(gateway, items));
    const detections = [{ entity_type: "EMAIL_ADDRESS", start: 9 }];
    expect(results.map(({ result }) => result)).toMatchObject([
      { detections, redacted_text: "Write to <EMAIL>" },
      { detections, redacted_text: null },
    ]);
  });

  test("answers HEAD without a body, however long its results are", async () => {
    const input = "Write to jane@example.com ".repeat(2_000);
    const items = [1, 2].map((n) => ({ id: `${n}`, input, categories: ["pii"] }));
    const jobId = await submit(gateway, items);
    await ended(gateway, jobId);
    const socket = await RawSocket.open(gateway.url);
    const lines = `Host: gateway\r\nAuthorization: Bearer ${gateway.key}\r\n\r\n`;
    socket.send(`HEAD ${path}/${jobId} HTTP/1.1\r\n${lines}`);
    socket.send(`GET /version HTTP/1.1\r\n${lines}`);
    const { text } = await socket.until((answer) => answer.text.includes('"version"'));
    const [head = "", next = ""] = text.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200/);
    expect(next).toMatch(/^HTTP\/1\.1 200/);
    socket.socket.destroy();
  });

  test("bills each item as a scan of its own, under a key of its own", async () => {
    const jobId = await submit(gateway, [
      { id: "a", input: "one" },
      { id: "b", input: "two" },
    ]);
    await ended(gateway, jobId);
    const api = new KeysApi(gateway);
    const org = await api.firstOrganization();
    const { body } = await api.call("GET", `orgs/${org}/ledger?limit=100`);
    const entries = body?.["data"] as readonly { readonly idempotencyKey: string }[];
    const ours = entries.filter(({ idempotencyKey }) => idempotencyKey.startsWith(jobId));
    expect(ours.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual([
      `${jobId}/0`,
      `${jobId}/1`,
    ]);
  });

  test("of another workspace, or that never was, is not found", async () => {
    const jobId = await submit(gateway, [{ id: "a", input: "one" }]);
    const other = await otherKey();
    for (const [key, id] of [
      [other, jobId],
      [gateway.key, "scanjob_0123"],
      [gateway.key, "scanjob_XYZ"],
      [gateway.key, "nonsense"],
      [gateway.key, `scanjob_${"a".repeat(5_000)}`],
    ] as const) {
      const response = await getBatch({ url: gateway.url, key }, id);
      const copy = response.clone();
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
      expect(await answerFaults("GET", `${path}/{job_id}`, copy)).toEqual([]);
    }
  });

  test("whose every item failed has failed, each item with the envelope of its refusal", async () => {
    const key = await otherKey();
    const jobId = await submit({ url: gateway.url, key }, [
      { id: "a", input: "one" },
      { id: "b", input: "two", categories: ["pii"] },
    ]);
    const job = await ended({ url: gateway.url, key }, jobId);
    expect(job).toMatchObject({
      status: "failed",
      completed_count: 0,
      counts: { failed: 2 },
      results: [
        { id: "a", status: "failed", scan_id: null, result: { error: { code: "payg_disabled" } } },
        { id: "b", status: "failed" },
      ],
    });
  });

  test("with long results is answered whole, a piece at a time", async () => {
    const items = Array.from({ length: 300 }, (_, i) => ({
      id: `${i}`,
      input: `jane${i}@example.com `.repeat(40),
      categories: ["pii"],
    }));
    const job = await ended(gateway, await submit(gateway, items));
    expect(job.counts).toEqual({ queued: 0, running: 0, completed: 300, failed: 0 });
    expect(JSON.stringify(job).length).toBeGreaterThan(512 * 1024);
    expect(job.results.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
  });

  test("goes on after a restart", async () => {
    const first = await startGateway({ config: { scan: { requestsPerMinute: 100_000 } } });
    const jobId = await submit(
      first,
      Array.from({ length: 500 }, (_, i) => ({ id: `${i}`, input: `text ${i}` })),
    );
    const second = await first.restart();
    try {
      const job = await ended(second, jobId);
      expect(job.counts.completed).toBe(500);
    } finally {
      await second.stop();
    }
  });
});

test("items wait while the workspace's scan limit is full", async () => {
  const limited = await startGateway({ config: { scan: { requestsPerMinute: 3 } } });
  try {
    const jobId = await submit(
      limited,
      Array.from({ length: 4 }, (_, i) => ({ id: `${i}`, input: "x" })),
    );
    const job = await statusWhen(limited, jobId, ({ counts }) => counts.completed === 2);
    expect(job).toMatchObject({ status: "running", counts: { queued: 2, running: 0 } });
    // The two stay where they are: no refusal ends them.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await statusOf(limited, jobId)).counts).toMatchObject({ queued: 2, failed: 0 });
    const refused = await postBatch(limited, { items: [{ id: "a", input: "x" }] });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    expect(await answerFaults("POST", path, refused)).toEqual([]);
  } finally {
    await limited.stop();
  }
});

let others = 0;
/** A key of an organization that does not pay through the service. */
async function otherKey(): Promise<string> {
  const api = new KeysApi(gateway);
  const org = await api.data(201, "POST", "orgs", {
    name: `other-${++others}`,
    plan: "paid",
    payg: "disabled",
  });
  return (await api.key({ orgId: org.id })).secret;
}
