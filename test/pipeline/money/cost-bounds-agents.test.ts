import { describe, expect, test } from "vitest";
import { PriceCatalog } from "../../../src/billing/catalog.ts";
import { readSeedPrices } from "../../../src/billing/seed-prices.ts";
import { worstCaseMicroUsd } from "../../../src/billing/worst-case.ts";
import { endpointOfPath } from "../../../src/contract/endpoints/by-path.ts";
import { JsonScanner } from "../../../src/json/scanner.ts";
import { readWorstCaseRequest } from "../../../src/pipeline/money/cost-bounds.ts";
import {
  recordedClients,
  recordingOf,
  type RecordedRequest,
} from "../../agents/recording/recordings.ts";

/** What is paid through the service: requests of every wire. */
const paid = recordedClients().flatMap((client) =>
  recordingOf(client).sessions.flatMap(({ name, requests }) =>
    requests
      .map((request, index) => ({ client, session: name, index, request }))
      .filter(({ request }) => wireOf(request) !== undefined),
  ),
);

function wireOf({ url }: RecordedRequest) {
  return endpointOfPath.get(url.replace(/\?.*$/, ""))?.wire;
}

function boundsOf(request: RecordedRequest) {
  const bytes = Buffer.from(JSON.stringify(request.body));
  const topLevel = new JsonScanner().finish(bytes, bytes.length);
  const wire = wireOf(request);
  if ("reason" in topLevel || wire === undefined) throw new Error(`not to be paid: ${request.url}`);
  return readWorstCaseRequest(wire, { bytes, topLevel });
}

/** What the bytes of a request do not hold: media, and what the provider keeps. */
const heldElsewhere =
  /"type":"(?:image|image_url|input_audio|document|file|container_upload)"|"previous_(?:message|response)_id":"/;

test("there are requests of today's agents", () => {
  expect(paid.length).toBeGreaterThan(15);
});

describe("requests of today's agents", () => {
  test.each(paid)("$client, $session, $index: text counts as text", ({ request }) => {
    expect(boundsOf(request)).toMatchObject({
      hasMedia: heldElsewhere.test(JSON.stringify(request.body)),
      // Codex has a search that the provider bills by use, without a cap: it has to be switched off.
      unboundedBy: JSON.stringify(request.body).includes('"type":"web_search"') ? "tools" : null,
    });
  });
});

describe("the first requests of Claude Code", () => {
  const { sessions } = recordingOf("claude-code");
  const requests = sessions.find(({ name }) => name === "subagent")?.requests ?? [];
  // The subagent has fewer tools than the main agent.
  const main = requests[0];
  const sub = requests.find(({ body }) => toolsOf(body) !== toolsOf(main?.body));

  test.each([
    ["main agent", main],
    ["subagent", sub],
  ])("%s: at most twice its bytes, and the longest answer that it asks for", (_, request) => {
    if (request === undefined) throw new Error("there is no such request");
    const at = Date.now();
    const price = new PriceCatalog(readSeedPrices(), {}).priceOf("anthropic", modelOf(request), at);
    if (!price.ok) throw new Error(price.refusal.message);
    const bounds = boundsOf(request);
    const worst = worstCaseMicroUsd(bounds, price.value, at);
    if (!worst.ok) throw new Error(worst.refusal.message);
    const { input, output } = price.value.periods.at(-1)?.standard.rates ?? {
      input: 0n,
      output: 0n,
    };
    const answer = BigInt(bounds.outputTokensMax ?? 0);
    const limit = 2n * BigInt(bounds.textBytes) * input + answer * output;
    // Rates are 10⁻¹⁸ dollars for a million tokens.
    expect(Number(worst.value)).toBeLessThanOrEqual(Number(limit / 10n ** 18n));
    expect(answer).toBeGreaterThan(0n);
  });
});

function toolsOf(body: RecordedRequest["body"] | undefined): number {
  const tools = body?.["tools"];
  return Array.isArray(tools) ? tools.length : 0;
}

function modelOf({ body }: RecordedRequest): string {
  const { model } = body;
  return typeof model === "string" ? model : "";
}
