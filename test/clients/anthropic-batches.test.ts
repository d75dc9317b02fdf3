import { gzipSync } from "node:zlib";
import Anthropic from "@anthropic-ai/sdk";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";

const resultsPath = "/v1/messages/batches/msgbatch_1/results";
const results = '{"custom_id":"a","result":{"type":"canceled"}}\n';

/** The provider, and what stands before the gateway at its public address. */
let upstream: Recorder;
let front: Recorder;
let gateway: TestGateway | undefined;

beforeAll(async () => {
  front = await startRecorder((_, response) => response.end(results));
  upstream = await startRecorder(({ url, rawHeaders }, response) => {
    if (url === resultsPath) {
      response.end(results);
      return;
    }
    const body = JSON.stringify({ id: "msgbatch_1", results_url: upstream.origin + resultsPath });
    response.setHeader("content-type", "application/json");
    const isZipped = rawHeaders.some((value) => value.includes("gzip"));
    if (isZipped) response.setHeader("content-encoding", "gzip");
    response.end(isZipped ? gzipSync(body) : body);
  });
});
afterEach(() => gateway?.stop());
afterAll(async () => {
  await upstream.close();
  await front.close();
});

async function start(publicUrl: string | null): Promise<Anthropic> {
  upstream.received.length = 0;
  front.received.length = 0;
  const network = { allowedInternalHosts: [`127.0.0.1:${upstream.port}`] };
  gateway = await startGateway({
    config: publicUrl === null ? { network } : { network, publicUrl },
  });
  return new Anthropic({
    apiKey: "provider-key",
    baseURL: gateway.url,
    maxRetries: 0,
    defaultHeaders: { "X-Svc-Api-Key": gateway.key, "X-Svc-Upstream-Url": upstream.origin },
  });
}

async function fetchResults(client: Anthropic): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const result of await client.messages.batches.results("msgbatch_1")) {
    ids.push(result.custom_id);
  }
  return ids;
}

const warnings = () =>
  gateway?.log.filter((line) => line["path"] === "publicUrl").map((line) => line["reason"]);

test("results are fetched through the gateway, and the provider gets no service key", async () => {
  const client = await start(front.origin);
  expect(await fetchResults(client)).toEqual(["a"]);
  expect(front.received.map(({ url }) => url)).toEqual([resultsPath]);
  // What the front passes to the gateway goes on.
  const { received } = front;
  const headers = new Headers();
  const raw = received[0]?.rawHeaders ?? [];
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i]?.toLowerCase().startsWith("x-")) headers.set(raw[i] ?? "", raw[i + 1] ?? "");
  }
  expect(await (await fetch((gateway?.url ?? "") + resultsPath, { headers })).text()).toBe(results);
  expect(upstream.received.map(({ url }) => url)).toEqual([
    resultsPath.replace("/results", ""),
    resultsPath,
  ]);
  expect(JSON.stringify(upstream.received)).not.toMatch(/sk-gw-/i);
  expect(warnings()).toEqual([]);
});

test("with no public address the log warns once", async () => {
  const client = await start(null);
  for (let i = 0; i < 2; i += 1) {
    const batch = await client.messages.batches.retrieve("msgbatch_1");
    expect(batch.results_url).toBe(upstream.origin + resultsPath);
  }
  expect(warnings()).toEqual(["no_public_url"]);
});
