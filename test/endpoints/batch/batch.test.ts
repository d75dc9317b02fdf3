import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerFaults } from "../../openapi/described-api.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi } from "../../support/keys-api.ts";
import { RawSocket } from "../../support/raw-socket.ts";
import { ended, postBatch, submit } from "./batch-client.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ config: { scan: { requestsPerMinute: 100_000 } } });
});
afterAll(() => gateway.stop());

const pattern = { name: "p", regex: "e", direction: "both", action: "flag" };
const path = "/v1/security/scan/batch";

describe("a submission", () => {
  test.each<[string, unknown, number, string, RegExp]>([
    ["is not JSON", "{", 400, "invalid_request", /JSON/],
    ["is a list", [], 400, "invalid_request", /object/],
    ["has no items", {}, 400, "invalid_request", /items/],
    ["has items that are no list", { items: {} }, 400, "invalid_request", /items/],
    ["has an empty list", { items: [] }, 400, "invalid_request", /at least one/],
    [
      "has another member",
      { items: [{ id: "a", input: "x" }], x: 1 },
      400,
      "invalid_request",
      /exactly one member/,
    ],
    [
      "has items twice",
      '{"items":[{"id":"a","input":"x"}],"items":[]}',
      400,
      "invalid_request",
      /exactly one member/,
    ],
    [
      "has too many items",
      { items: Array.from({ length: 1_001 }, (_, i) => ({ id: `${i}`, input: "x" })) },
      400,
      "invalid_request",
      /at most 1000/,
    ],
    ["has an item that is no object", { items: ["x"] }, 400, "invalid_request", /Item 0/],
    [
      "has an item without an id",
      { items: [{ id: "a", input: "x" }, { input: "x" }] },
      400,
      "invalid_request",
      /Item 1: \/id/,
    ],
    ["has an empty id", { items: [{ id: "", input: "x" }] }, 400, "invalid_request", /\/id/],
    ["has a number as id", { items: [{ id: 1, input: "x" }] }, 400, "invalid_request", /\/id/],
    ["has two ids", '{"items":[{"id":"a","id":"b","input":"x"}]}', 400, "invalid_request", /\/id/],
    [
      "has an id twice",
      {
        items: [
          { id: "a", input: "x" },
          { id: "a", input: "y" },
        ],
      },
      400,
      "invalid_request",
      /Item 1 has the same id/,
    ],
    [
      "has an id twice, escaped",
      '{"items":[{"id":"a","input":"x"},{"id":"\\u0061","input":"x"}]}',
      400,
      "invalid_request",
      /Item 1 has the same id/,
    ],
    [
      "has an item without a target",
      { items: [{ id: "a" }] },
      400,
      "invalid_request",
      /Item 0: A scan needs/,
    ],
    [
      "has an item with two targets",
      { items: [{ id: "a", input: "x", request: {}, request_format: "openai" }] },
      400,
      "invalid_request",
      /not both/,
    ],
    [
      "has a wrong option",
      { items: [{ id: "a", input: "x", segment: "x" }] },
      400,
      "invalid_request",
      /\/segment/,
    ],
    [
      "has an unknown option",
      { items: [{ id: "a", input: "x", include_redacted_text: true }] },
      400,
      "invalid_request",
      /no members but id, .*categories.*; it has "include_redacted_text"/,
    ],
    [
      "has a content too large",
      { items: [{ id: "a", input: "x".repeat(4_194_305) }] },
      400,
      "scan_input_too_large",
      /Item 0/,
    ],
    [
      "has a wrong pattern",
      {
        items: [
          { id: "a", input: "x" },
          { id: "b", input: "x", custom_patterns: [{ ...pattern, regex: "(" }] },
        ],
      },
      400,
      "invalid_request",
      /Item 1: .*"p"/,
    ],
  ])("that %s is refused whole", async (_, body, status, code, message) => {
    const response = await postBatch(gateway, body);
    const copy = response.clone();
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(await answerFaults("POST", path, copy)).toEqual([]);
  });

  test("is answered with its job", async () => {
    const response = await postBatch(gateway, { items: [{ id: "a", input: "hello" }] });
    const copy = response.clone();
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({
      job_id: expect.stringMatching(/^scanjob_[a-f0-9]+$/) as string,
      status: "queued",
      item_count: 1,
    });
    expect(await answerFaults("POST", path, copy)).toEqual([]);
  });

  test("whose client has left is not stored", async () => {
    const regex = String.raw`(\pL\pN){40}`;
    const items = Array.from({ length: 50 }, (_, i) => ({
      id: `${i}`,
      input: "x",
      custom_patterns: [{ ...pattern, regex: `${regex}${i}` }],
    }));
    const body = JSON.stringify({ items });
    const before = gateway.log.length;
    const client = await RawSocket.open(gateway.url);
    const head = `POST ${path} HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${gateway.key}`;
    const request = `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    // It leaves as soon as it has said all, of which the patterns take a while.
    client.socket.write(request, () => client.destroy());
    const recorded = (): unknown =>
      gateway.log
        .slice(before)
        .find(({ route, client_gone }) => route === "batch" && client_gone === true);
    await expect.poll(recorded, { timeout: 20_000 }).toMatchObject({
      error_code: "invalid_request",
    });
  });

  test.each([
    ["", 401, "invalid_key"],
    ["sk-gw-wrong", 401, "invalid_key"],
  ])("with the key %j is refused", async (key, status, code) => {
    const response = await postBatch({ url: gateway.url, key }, {});
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });
});

test("a job of a thousand items does not hold up another workspace's job of one", async () => {
  const api = new KeysApi(gateway);
  const { id, asAdmin } = await api.organization("patient");
  await api.call("POST", `orgs/${id}/top-ups`, { amountUsd: "1", idempotencyKey: "patient" });
  const { secret } = await asAdmin.key({ orgId: id });
  const long = await submit(
    gateway,
    Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, input: `long job ${i}` })),
  );
  const other = { url: gateway.url, key: secret };
  const one = await ended(other, await submit(other, [{ id: "a", input: "short" }]));
  expect(one.status).toBe("completed");
  const { completed_at } = await ended(gateway, long);
  expect(Date.parse(one.completed_at ?? "")).toBeLessThan(Date.parse(completed_at ?? ""));
});

test("a backlog that is full refuses a submission whole", async () => {
  const full = await startGateway({ config: { scan: { requestsPerMinute: 100_000 } } });
  try {
    const items = Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, input: "x" }));
    // At once, and again: items end meanwhile, how many is up to the machine.
    let response: Response | undefined;
    while (response === undefined) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => postBatch(full, { items })),
      );
      response = answers.find(({ status }) => status !== 202);
    }
    const copy = response.clone();
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: "scan_batch_backlog_exceeded", limit: 10_000 });
    expect(error["queued"]).toBeGreaterThan(9_000);
    expect(await answerFaults("POST", path, copy)).toEqual([]);
  } finally {
    await full.stop();
  }
});

test("what has not ended is told by a metric", async () => {
  const { url, keysUrl, key } = gateway;
  const items = Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, input: `metric ${i}` }));
  const jobId = await submit({ url, key }, items);
  const openItems = async (): Promise<number> => {
    const text = await (await fetch(`${keysUrl}/metrics`)).text();
    return Number(/^weir_batch_items_open (\d+)$/m.exec(text)?.[1]);
  };
  expect(await openItems()).toBeGreaterThan(0);
  await ended({ url, key }, jobId);
  expect(await openItems()).toBe(0);
});

test("the items' runs are logged under their route, and what was submitted nowhere", async () => {
  const jobId = await submit(gateway, [{ id: "a", input: "a very private text" }]);
  await ended(gateway, jobId);
  expect(gateway.log).toContainEqual(
    expect.objectContaining({ route: "batch", request_id: `${jobId}/0`, status: 200 }),
  );
  expect(JSON.stringify(gateway.log)).not.toContain("very private");
});
