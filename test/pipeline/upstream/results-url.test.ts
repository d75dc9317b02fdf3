import { describe, expect, test } from "vitest";
import type { Attempt } from "../../../src/exchange/exchange.ts";
import { ResultsUrls, type LeadsPast } from "../../../src/pipeline/upstream/results-url.ts";

const upstream = { origin: "https://provider.example", basePath: "" };
const at = (path: string, method = "GET") => ({ method, path, query: "", headers: [] });

async function rewritten(text: string, { basePath = "", publicUrl = "https://weir.example" } = {}) {
  const told: LeadsPast[] = [];
  const urls = new ResultsUrls(publicUrl, (why) => told.push(why));
  const buffered: Attempt = { kind: "buffered", status: 200, headers: [], body: Buffer.from(text) };
  const attempt = await urls.rewritten(buffered, { ...upstream, basePath });
  if (attempt.kind !== "buffered") throw new Error(attempt.kind);
  return { text: Buffer.from(attempt.body).toString(), told };
}

describe("what is read", () => {
  const urls = new ResultsUrls("https://weir.example");
  test.each([
    at("/v1/messages/batches"),
    at("/v1/messages/batches", "POST"),
    at("/v1/messages/batches/msgbatch_1"),
    at("/v1/messages/batches/msgbatch_1/cancel", "POST"),
    at("/anthropic/v1/messages/batches/msgbatch_1"),
  ])("$method $path", (head) => {
    expect(urls.concerns(head)).toBe(true);
  });

  test.each([
    at("/v1/messages/batches/msgbatch_1/results"),
    at("/v1/messages/batches/msgbatch_1", "DELETE"),
    at("/v1/messages", "POST"),
    at("/v1/batches"),
  ])("not $method $path", (head) => {
    expect(urls.concerns(head)).toBe(false);
  });

  test("nothing without an address, which is told once", () => {
    const told: LeadsPast[] = [];
    const without = new ResultsUrls(null, (why) => told.push(why));
    for (let i = 0; i < 3; i += 1) {
      expect(without.concerns(at("/v1/messages/batches"))).toBe(false);
    }
    expect(told).toEqual(["no_public_url"]);
  });
});

describe("results_url", () => {
  const path = "/v1/messages/batches/msgbatch_1/results";

  test.each([
    ["of a batch", `{ "id": "b",\n "results_url" : "https://provider.example${path}", "n": 1.0 }`],
    [
      "of a list",
      `{"data":[{"results_url":"https://provider.example${path}"},{"results_url":null}]}`,
    ],
    ["with its port", `{"results_url":"https://PROVIDER.example:443${path}"}`],
    ["escaped", String.raw`{"results\u005furl":"https:\/\/provider.example${path}"}`],
  ])("%s points at the gateway, and no other byte changes", async (_, text) => {
    const value = /(?<=_url"? ?: ?|f?url": ?)"https:[^"]*"/;
    expect((await rewritten(text)).text).toBe(text.replace(value, `"https://weir.example${path}"`));
  });

  test("keeps its query, and the gateway's own path", async () => {
    const text = `{"results_url":"https://provider.example${path}?a=%2F&b"}`;
    const { text: out } = await rewritten(text, { publicUrl: "https://weir.example/llm" });
    expect(out).toBe(`{"results_url":"https://weir.example/llm${path}?a=%2F&b"}`);
  });

  test("loses the base path, which the gateway puts before it", async () => {
    const text = `{"results_url":"https://provider.example/base${path}"}`;
    const { text: out } = await rewritten(text, { basePath: "/base" });
    expect(out).toBe(`{"results_url":"https://weir.example${path}"}`);
  });

  test.each([
    ["of another origin", `{"results_url":"https://else.example${path}"}`, ["another_origin"]],
    ["of another scheme", `{"results_url":"http://provider.example${path}"}`, ["another_origin"]],
    ["that is none", `{"results_url":"${path}"}`, []],
    ["that is not there yet", `{"results_url":null}`, []],
    ["deeper", `{"request":{"results_url":"https://provider.example${path}"}}`, []],
    ["in what is no JSON", `"results_url":"https://provider.example${path}"`, []],
    ["in a list", `[{"results_url":"https://provider.example${path}"}]`, []],
  ])("%s stays", async (_, text, expected) => {
    const { text: out, told } = await rewritten(text);
    expect(out).toBe(text);
    expect(told).toEqual(expected);
  });
});
