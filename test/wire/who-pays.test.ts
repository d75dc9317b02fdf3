import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type LogLine, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { rawHeader, startObservedProvider, type ObservedProvider } from "../support/provider.ts";
import { exchangeRaw, statusesOf } from "../support/raw-socket.ts";

/*
 * design section 7, "Who pays": every row, with the credentials in each slot, on every model endpoint, a scan
 * endpoint and a path that the gateway does not have; over raw sockets, for a client library would
 * join what stands twice.
 */

let provider: ObservedProvider;
let gateway: TestGateway;
/** A key that was valid. */
let revoked: string;

beforeAll(async () => {
  provider = await startObservedProvider();
  gateway = await startGateway({
    config: {
      providers: [
        provider.account("one", { wires: ["chat", "messages", "responses", "embeddings"] }),
      ],
      network: { allowedInternalHosts: [`127.0.0.1:${provider.demo.port}`] },
    },
  });
  const api = new KeysApi(gateway);
  const { key, secret } = await api.key({ orgId: await api.firstOrganization() });
  revoked = secret;
  expect(await api.call("DELETE", `api-keys/${key.id}`)).toMatchObject({ status: 204 });
});
afterAll(async () => {
  await gateway.stop();
  await provider.demo.close();
});
beforeEach(() => {
  provider.received.length = 0;
});

const paths = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
  embeddings: "/v1/embeddings",
  count_tokens: "/v1/messages/count_tokens",
  scan: "/v1/security/scan",
  unknown: "/v1/else",
} as const;
type Place = keyof typeof paths;
// Object.keys returns strings, so the type is restored here.
const places = Object.keys(paths) as Place[];

const bodies: Readonly<Record<Place, unknown>> = {
  chat: { model: "one/echo", messages: [{ role: "user", content: "Hello" }] },
  messages: { model: "one/echo", max_tokens: 9, messages: [{ role: "user", content: "Hello" }] },
  responses: { model: "one/echo", max_output_tokens: 9, input: "Hello" },
  embeddings: { model: "one/echo", input: "Hello" },
  count_tokens: { model: "one/echo", messages: [{ role: "user", content: "Hello" }] },
  scan: { input: "Hello" },
  unknown: { text: "Hello" },
};

/** `K`: the service key; `W`: one that does not exist; `U`: the upstream's address. */
type Header = readonly [name: string, value: string];

interface Sent {
  readonly status: number;
  readonly code: string | null;
  /** What the provider got of credentials, or null where nothing reached it. */
  readonly forwarded: readonly string[] | null;
}

const providerSlots = ["authorization", "x-api-key", "api-key", "x-goog-api-key"] as const;

async function send(place: Place, headers: readonly Header[], query = ""): Promise<Sent> {
  const body = JSON.stringify(bodies[place]);
  const lines = [
    `POST ${filled(paths[place] + query)} HTTP/1.1`,
    "Host: gateway",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    ...headers.map(([name, value]) => `${name}: ${filled(value)}`),
  ];
  const answer = await exchangeRaw(gateway.url, `${lines.join("\r\n")}\r\n\r\n${body}`, isWhole);
  const [forwarded] = provider.received;
  expect(JSON.stringify([forwarded?.rawHeaders, forwarded?.url])).not.toMatch(/sk-gw-/i);
  return {
    status: statusesOf(answer.text)[0] ?? 0,
    code: /"code":"(\w+)"/.exec(answer.text)?.[1] ?? null,
    forwarded: forwarded === undefined ? null : credentialsOf(forwarded),
  };
}

function credentialsOf({ rawHeaders, url }: ObservedProvider["received"][number]): string[] {
  const found = providerSlots.flatMap((name) => {
    const value = rawHeader(rawHeaders, name);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  return url.includes("key=") ? [...found, url.slice(url.indexOf("?"))] : found;
}

function filled(text: string): string {
  return text
    .replaceAll("{K}", gateway.key)
    .replaceAll("{W}", `sk-gw-${"0".repeat(48)}`)
    .replaceAll("{R}", revoked)
    .replaceAll("{O}", gateway.operatorKey)
    .replaceAll("{U}", provider.demo.origin);
}

function isWhole({ text, closed }: { text: string; closed: boolean }): boolean {
  if (closed || text.endsWith("0\r\n\r\n")) return true;
  const end = text.indexOf("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return end >= 0 && length !== undefined && text.length >= end + 4 + Number(length);
}

const upstream: Header = ["X-Svc-Upstream-Url", "{U}"];
const inService: Header = ["X-Svc-Api-Key", "{K}"];
const bearer = (value: string): Header => ["Authorization", `Bearer ${value}`];

/** `paid` is served at the service's cost, `own` forwarded with the caller's own credential. */
type Expected = "paid" | "own" | { readonly status: number; readonly code: string };
const refused = (status: number, code: string): Expected => ({ status, code });
const invalidKey = refused(401, "invalid_key");
const invalidRequest = refused(400, "invalid_request");

interface Row {
  readonly name: string;
  readonly headers: readonly Header[];
  readonly query?: string;
  readonly expected: Expected;
  /** Where the scan endpoint and the unknown path answer otherwise than the wires. */
  readonly scan?: Expected;
  readonly unknown?: Expected;
  /** The credentials that reach the provider with `own`. */
  readonly forwarded?: readonly string[];
}

const notFound = refused(404, "unknown_route");
const noUpstream = refused(400, "missing_upstream_header");
/** Rows of requests that are paid through: scans are, and a path that does not exist is not. */
const payThrough = { expected: "paid", scan: "paid", unknown: notFound } as const;
const forgotten = { expected: noUpstream, scan: notFound, unknown: noUpstream } as const;
/** A path that does not exist says so without a look at the key. */
const badKey = { expected: invalidKey, unknown: notFound } as const;

// prettier-ignore
const rows: readonly Row[] = [
  // Service key only, in any slot.
  { name: "K bearer", headers: [bearer("{K}")], ...payThrough },
  { name: "K X-Svc", headers: [inService], ...payThrough },
  { name: "K x-api-key", headers: [["x-api-key", "{K}"]], ...payThrough },
  { name: "K api-key", headers: [["api-key", "{K}"]], ...payThrough },
  { name: "K x-goog-api-key", headers: [["x-goog-api-key", "{K}"]], ...payThrough },
  { name: "K ?key=", headers: [], query: "?key={K}", ...payThrough },
  { name: "K Authorization, no scheme", headers: [["Authorization", "{K}"]], ...payThrough },
  { name: "K lower-case bearer", headers: [["authorization", "bearer {K}"]], ...payThrough },
  { name: "K bearer, tab", headers: [["Authorization", "Bearer\t{K}"]], ...payThrough },
  // Service key in the bearer slot, provider key beside it.
  { name: "K bearer, P x-api-key", headers: [bearer("{K}"), ["x-api-key", "P"]], ...payThrough },
  { name: "K bearer, P api-key", headers: [bearer("{K}"), ["api-key", "P"]], ...payThrough },
  { name: "K bearer, P ?key=", headers: [bearer("{K}")], query: "?key=P&b=1", ...payThrough },
  { name: "K bearer, P ?%6Bey=", headers: [bearer("{K}")], query: "?%6Bey=P", ...payThrough },
  // Service key in X-Svc-Api-Key (or another slot), another bearer token, no upstream.
  { name: "K X-Svc, P bearer", headers: [inService, bearer("P")], ...forgotten },
  { name: "K x-api-key, P bearer", headers: [["x-api-key", "{K}"], bearer("P")], ...forgotten },
  // Beside another credential than a bearer token a scan is a scan (spec: Authentication 1, 4).
  { name: "K X-Svc, P x-api-key", headers: [inService, ["x-api-key", "P"]], ...forgotten, scan: "paid" },
  { name: "K X-Svc, Basic", headers: [inService, ["Authorization", "Basic YTpi"]], ...forgotten, scan: "paid" },
  // Service key, provider key in any other slot, upstream.
  {
    name: "K X-Svc, P bearer, U",
    headers: [inService, bearer("P"), upstream],
    expected: "own",
    forwarded: ["authorization: Bearer P"],
  },
  {
    name: "K X-Svc, P x-api-key, U",
    headers: [inService, ["x-api-key", "P"], upstream],
    expected: "own",
    forwarded: ["x-api-key: P"],
  },
  {
    name: "K X-Svc, P api-key, U",
    headers: [inService, ["api-key", "P"], upstream],
    expected: "own",
    forwarded: ["api-key: P"],
  },
  {
    name: "K X-Svc, P x-goog-api-key, U",
    headers: [inService, ["x-goog-api-key", "P"], upstream],
    expected: "own",
    forwarded: ["x-goog-api-key: P"],
  },
  {
    name: "K X-Svc, P ?key=, U",
    headers: [inService, upstream],
    query: "?a=1&key=P",
    expected: "own",
    forwarded: ["?a=1&key=P"],
  },
  {
    name: "K bearer, P x-api-key, U",
    headers: [bearer("{K}"), ["x-api-key", "P"], upstream],
    expected: "own",
    forwarded: ["x-api-key: P"],
  },
  {
    name: "K x-api-key, P bearer, U",
    headers: [["x-api-key", "{K}"], bearer("P"), upstream],
    expected: "own",
    forwarded: ["authorization: Bearer P"],
  },
  {
    name: "K ?key=, P bearer, U",
    headers: [bearer("P"), upstream],
    query: "?key={K}&b=2",
    expected: "own",
    forwarded: ["authorization: Bearer P"],
  },
  {
    name: "K X-Svc and bearer, P x-api-key, U",
    headers: [inService, bearer("{K}"), ["x-api-key", "P"], upstream],
    expected: "own",
    forwarded: ["x-api-key: P"],
  },
  // No provider key.
  { name: "K X-Svc, U", headers: [inService, upstream], expected: "own", forwarded: [] },
  {
    name: "K X-Svc and bearer, U",
    headers: [inService, bearer("{K}"), upstream],
    expected: "own",
    forwarded: [],
  },
  { name: "K bearer, U", headers: [bearer("{K}"), upstream], expected: invalidRequest },
  { name: "K x-api-key, U", headers: [["x-api-key", "{K}"], upstream], expected: invalidRequest },
  { name: "K ?key=, U", headers: [upstream], query: "?key={K}", expected: invalidRequest },
  // One service key twice, two service keys.
  { name: "K bearer and X-Svc", headers: [bearer("{K}"), inService], ...payThrough },
  { name: "K bearer and x-api-key", headers: [bearer("{K}"), ["x-api-key", "{K}"]], ...payThrough },
  { name: "K bearer, W X-Svc", headers: [bearer("{K}"), ["X-Svc-Api-Key", "{W}"]], ...badKey },
  { name: "W bearer, K X-Svc", headers: [bearer("{W}"), inService], ...badKey },
  { name: "K bearer, W ?key=", headers: [bearer("{K}")], query: "?key={W}", ...badKey },
  {
    name: "K X-Svc, W bearer, P x-api-key, U",
    headers: [inService, bearer("{W}"), ["x-api-key", "P"], upstream],
    expected: invalidKey,
  },
  // No service key.
  { name: "P bearer", headers: [bearer("P")], ...forgotten },
  { name: "P x-api-key", headers: [["x-api-key", "P"]], ...badKey },
  {
    name: "P bearer, U: keyless",
    headers: [bearer("P"), upstream],
    expected: "own",
    forwarded: ["authorization: Bearer P"],
  },
  {
    name: "P x-api-key, U: keyless",
    headers: [["x-api-key", "P"], upstream],
    expected: "own",
    forwarded: ["x-api-key: P"],
  },
  { name: "nothing", headers: [], ...badKey },
  { name: "an empty bearer", headers: [bearer("")], ...badKey },
  { name: "U alone", headers: [upstream], expected: invalidKey },
  // A service key that is there, but not valid, is never taken for nothing.
  { name: "W bearer", headers: [bearer("{W}")], ...badKey },
  { name: "W X-Svc, P bearer, U", headers: [["X-Svc-Api-Key", "{W}"], bearer("P"), upstream], expected: invalidKey },
  { name: "W x-api-key, P bearer, U", headers: [["x-api-key", "{W}"], bearer("P"), upstream], expected: invalidKey },
  { name: "W ?key=, P bearer, U", headers: [bearer("P"), upstream], query: "?key={W}", expected: invalidKey },
  { name: "empty X-Svc, P bearer, U", headers: [["X-Svc-Api-Key", ""], bearer("P"), upstream], expected: invalidKey },
  { name: "odd X-Svc, P bearer, U", headers: [["X-Svc-Api-Key", "P"], bearer("P"), upstream], expected: invalidKey },
  { name: "K elsewhere, P bearer, U", headers: [["x-else", "{K}"], bearer("P"), upstream], expected: invalidKey },
  { name: "K in another query, P bearer, U", headers: [bearer("P"), upstream], query: "?k=sk%2dgw-0", expected: invalidKey },
  { name: "K in Basic, P x-api-key, U", headers: [["Authorization", `Basic ${Buffer.from(`sk-gw-${"0".repeat(48)}:`).toString("base64")}`], ["x-api-key", "P"], upstream], expected: invalidKey },
  { name: "keys joined in X-Svc", headers: [["X-Svc-Api-Key", "{K}, {K}"], bearer("P"), upstream], expected: invalidKey },
  { name: "keys joined in bearer", headers: [["Authorization", "Bearer P, Bearer {K}"], upstream], expected: invalidKey },
  { name: "keys joined, paid", headers: [["Authorization", "Bearer {K}, Bearer {K}"]], ...badKey },
  { name: "upper-case K", headers: [bearer("SK-GW-{W}")], ...badKey },
  // That it is not valid is told before anything about the upstream or the other credentials.
  { name: "W bearer, U", headers: [bearer("{W}"), upstream], expected: invalidKey },
  { name: "revoked bearer, U", headers: [bearer("{R}"), upstream], expected: invalidKey },
  { name: "W x-api-key, U", headers: [["x-api-key", "{W}"], upstream], expected: invalidKey },
  { name: "W ?key=, U", headers: [upstream], query: "?key={W}", expected: invalidKey },
  { name: "W X-Svc, U", headers: [["X-Svc-Api-Key", "{W}"], upstream], expected: invalidKey },
  { name: "W bearer, an odd U", headers: [bearer("{W}"), ["X-Svc-Upstream-Url", "no address"]], expected: invalidKey },
  { name: "W bearer, an empty U", headers: [bearer("{W}"), ["X-Svc-Upstream-Url", ""]], expected: invalidKey },
  { name: "W bearer, a forbidden U", headers: [bearer("{W}"), ["X-Svc-Upstream-Url", "http://10.0.0.1"]], expected: invalidKey },
  { name: "W bearer, two U", headers: [bearer("{W}"), upstream, ["x-svc-upstream-url", "http://10.0.0.1"]], expected: invalidKey },
  { name: "W bearer twice, U", headers: [bearer("{W}"), bearer("{W}"), upstream], expected: invalidKey },
  { name: "W bearer, P x-api-key twice, U", headers: [bearer("{W}"), ["x-api-key", "P"], ["x-api-key", "P"], upstream], expected: invalidKey },
  // Where the route is not there, nobody looks at the key.
  { name: "W X-Svc, P bearer", headers: [["X-Svc-Api-Key", "{W}"], bearer("P")], ...forgotten, expected: invalidKey },
  // What stands twice is refused, whatever it is.
  { name: "two bearers", headers: [bearer("{K}"), bearer("P")], expected: invalidRequest, unknown: notFound },
  { name: "two bearers, U", headers: [bearer("P"), bearer("Q"), inService, upstream], expected: invalidRequest },
  { name: "the same twice", headers: [inService, inService, bearer("P"), upstream], expected: invalidRequest },
  { name: "two x-api-key, U", headers: [inService, ["x-api-key", "P"], ["X-Api-Key", "{K}"], upstream], expected: invalidRequest },
  { name: "two U", headers: [inService, bearer("P"), upstream, ["x-svc-upstream-url", "http://10.0.0.1"]], expected: invalidRequest },
  { name: "an upstream with K in it", headers: [inService, bearer("P"), ["X-Svc-Upstream-Url", "{U}/{K}"]], expected: invalidRequest },
  // A platform key calls no model and no scan.
  { name: "operator key", headers: [bearer("{O}")], expected: refused(403, "org_membership_not_found"), unknown: notFound },
  { name: "operator key, U", headers: [["X-Svc-Api-Key", "{O}"], bearer("P"), upstream], expected: refused(403, "org_membership_not_found") },
];

const cases = rows.flatMap((row) =>
  places.map((place) => ({
    name: row.name,
    place,
    row,
    expected: (place === "scan" || place === "unknown" ? row[place] : undefined) ?? row.expected,
  })),
);

describe("who pays", () => {
  test.each(cases)("$name on $place", async ({ place, row, expected }) => {
    const sent = await send(place, row.headers, row.query);
    if (typeof expected === "object") {
      expect(sent).toEqual({ ...expected, forwarded: null });
    } else if (expected === "paid") {
      expect(sent).toEqual({ status: 200, code: null, forwarded: place === "scan" ? null : [] });
    } else {
      expect(sent.forwarded).toEqual(row.forwarded);
      // The demo provider has neither the scan endpoint nor the unknown path.
      expect(sent.status).toBe(place === "scan" || place === "unknown" ? 404 : sent.status);
    }
  });
});

describe("credentials that don't fit together", () => {
  const P = "Bearer provider-key";
  const ask = (path: string, headers: readonly Header[]): Promise<Response> =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: headers.map(([name, value]): [string, string] => [name, filled(value)]),
      body: "{}",
    });
  /** Of its line in the log. */
  const facts = async (response: Response): Promise<LogLine | undefined> => {
    const id = response.headers.get("x-svc-request-id");
    const line = (): LogLine | undefined => gateway.log.find(({ request_id }) => request_id === id);
    await expect.poll(line).toBeDefined();
    return line();
  };

  test.each<[string, Place, readonly Header[], string]>([
    [
      "a provider key without upstream",
      "chat",
      [inService, ["Authorization", P]],
      "missing_upstream_header",
    ],
    [
      "an upstream without a provider key",
      "messages",
      [bearer("{K}"), upstream],
      "invalid_request",
    ],
  ])("%s: the request names its organization", async (_name, place, headers, code) => {
    const response = await ask(paths[place], headers);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code } }]);
    const line = await facts(response);
    expect(line).toMatchObject({ error_code: code, cost_status: "non_billable" });
    expect(line?.["org_id"]).toMatch(/^org_/);
    expect(line?.["api_key_id"]).toMatch(/^key_/);
    const id = response.headers.get("x-svc-request-id") ?? "";
    const event = await new AuditApi(gateway).eventOf(id);
    expect(event).toMatchObject({ event_type: "request.failed", data: { error_code: code } });
  });

  test.each<[string, readonly Header[], number]>([
    [
      "a key that is not valid",
      [
        ["X-Svc-Api-Key", "{W}"],
        ["Authorization", P],
      ],
      401,
    ],
    ["two keys", [["X-Svc-Api-Key", "{K}"], bearer("{W}")], 401],
    ["no service key", [["Authorization", P]], 400],
  ])("%s: nobody's", async (_name, headers, status) => {
    const response = await ask(paths.chat, headers);
    expect(response.status).toBe(status);
    expect(await facts(response)).toMatchObject({ org_id: null, api_key_id: null });
  });

  test("a platform key is named, and no organization", async () => {
    const response = await ask(paths.chat, [
      ["X-Svc-Api-Key", "{O}"],
      ["Authorization", P],
    ]);
    expect(response.status).toBe(400);
    const named = { org_id: null, api_key_id: expect.stringMatching(/^key_/) as string };
    expect(await facts(response)).toMatchObject(named);
  });
});
