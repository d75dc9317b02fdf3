import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { tailsPerKeyMax, tailsPerOrganizationMax } from "../../src/contract/limits.ts";
import type { RecordedRequest } from "../../src/contract/records-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";

let gateway: TestGateway;
let keys: KeysApi;
let acme: Tenant;
let other: Tenant;

interface Tenant {
  readonly id: string;
  readonly admin: string;
  readonly viewer: string;
  readonly member: string;
  readonly another: string;
}

beforeAll(async () => {
  gateway = await startGateway();
  keys = new KeysApi(gateway);
  acme = await tenant("acme");
  other = await tenant("other");
});
afterAll(() => gateway.stop());

async function tenant(name: string): Promise<Tenant> {
  const { id } = await keys.organization(name);
  await keys.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd: "5", idempotencyKey: "first" });
  const of = async (more = {}) => (await keys.key({ orgId: id, ...more })).secret;
  const [admin, viewer] = [await of({ role: "admin" }), await of({ role: "viewer" })];
  return { id, admin, viewer, member: await of(), another: await of() };
}

async function chat(secret: string, model = "demo/echo"): Promise<string> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  const id = response.headers.get("x-svc-request-id") ?? "";
  // A record is written after its answer, so it could still come to a stream that is opened later.
  const lookup = () => keys.call("GET", `records/lookup?request_id=${id}`);
  await expect.poll(async () => (await lookup()).status).toBe(200);
  return id;
}

interface Told {
  readonly event: string;
  readonly id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An open stream that reads event by event. */
class Watched {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";
  comments = 0;

  constructor(response: Response) {
    this.response = response;
    if (response.body === null) throw new Error("a stream has a body");
    this.#reader = response.body.getReader();
  }

  /** null: the stream has ended. */
  async next(): Promise<Told | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end === -1) {
        const { done, value } = await this.#reader.read();
        if (done) return null;
        this.#text += this.#decoder.decode(value, { stream: true });
        continue;
      }
      const lines = this.#text.slice(0, end).split("\n");
      this.#text = this.#text.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const event = field("event");
      if (event === undefined) {
        this.comments += 1;
        continue;
      }
      const data = JSON.parse(field("data") ?? "") as Told["data"];
      return { event, id: field("id") ?? null, data };
    }
  }

  async leave(): Promise<void> {
    await this.#reader.cancel();
  }
}

const path = "/api/v1/gateway/records/stream";

function ask(secret: string, query = ""): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}` };
  return fetch(`${gateway.keysUrl}${path}${query}`, { headers });
}

async function watch(secret: string, query = ""): Promise<Watched> {
  const response = await ask(secret, query);
  expect(response.status).toBe(200);
  const watched = new Watched(response);
  onTestFinished(() => watched.leave());
  expect(await watched.next()).toMatchObject({ event: "open" });
  return watched;
}

async function requestIdOf(watched: Watched): Promise<unknown> {
  const told = await watched.next();
  expect(told?.event).toBe("record");
  return told?.data["request_id"];
}

test("a new record is told in the form of a list", async () => {
  await chat(acme.member);
  const watched = await watch(acme.admin);
  const { headers } = watched.response;
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  const id = await chat(acme.member);
  const told = await watched.next();
  const listed = await keys.call("GET", `records?orgId=${acme.id}&limit=1`);
  const [record] = listed.body?.["data"] as RecordedRequest[];
  expect(told).toEqual({ event: "record", id: String(record?.index), data: record });
  expect(record?.request_id).toBe(id);
});

test("each sees what it may see, and what its filter passes", async () => {
  const [all, viewer, member, failed, others] = [
    await watch(gateway.operatorKey),
    await watch(acme.viewer),
    await watch(acme.member),
    await watch(acme.admin, "?status=failed&route=chat"),
    await watch(other.member),
  ];
  const another = await chat(acme.another);
  const [mine, wrong] = [await chat(acme.member), await chat(acme.member, "none")];
  const theirs = await chat(other.member);
  expect([await requestIdOf(viewer), await requestIdOf(viewer)]).toEqual([another, mine]);
  expect([await requestIdOf(member), await requestIdOf(member)]).toEqual([mine, wrong]);
  expect(await requestIdOf(failed)).toBe(wrong);
  expect(await requestIdOf(others)).toBe(theirs);
  const seen: unknown[] = [];
  while (seen.length < 4) seen.push(await requestIdOf(all));
  expect(seen).toEqual([another, mine, wrong, theirs]);
});

test.each([
  ["?foo=1", 400, "invalid_request", "foo"],
  ["?status=odd", 400, "invalid_request", "status"],
  ["?limit=5", 400, "invalid_request", "limit"],
  ["?orgId=OTHER", 404, "not_found", "orgId"],
])("%s is refused", async (query, status, code, param) => {
  const response = await ask(acme.viewer, query.replace("OTHER", other.id));
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { code, param } });
});

test("a key has a few, an organization some; one that ends makes room", async () => {
  const third = await tenant("third");
  const open: Watched[] = [];
  for (let i = 0; i < tailsPerKeyMax; i += 1) open.push(await watch(third.admin));
  const refused = await ask(third.admin);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await refused.json()).toMatchObject({ error: { code: "records_unavailable" } });
  while (open.length < tailsPerOrganizationMax) {
    const { secret } = await keys.key({ orgId: third.id });
    open.push(await watch(secret));
  }
  expect((await ask(third.viewer)).status).toBe(503);
  await open[0]?.leave();
  await expect
    .poll(async () => {
      const response = await ask(third.viewer);
      await response.body?.cancel();
      return response.status;
    })
    .toBe(200);
});

test("it ends with its key, and tells nothing after", async () => {
  const fourth = await tenant("fourth");
  const { key, secret } = await keys.key({ orgId: fourth.id, role: "viewer" });
  const watched = await watch(secret);
  await keys.data(204, "DELETE", `api-keys/${key.id}`);
  await chat(fourth.member);
  expect(await watched.next()).toEqual({
    event: "end",
    id: null,
    data: { reason: "signed_out" },
  });
  expect(await watched.next()).toBeNull();
});

test("it ends with its session", async () => {
  const base = `${gateway.keysUrl}/api/v1/gateway`;
  const opened = await fetch(`${base}/sessions`, {
    method: "POST",
    body: JSON.stringify({ key: acme.viewer }),
  });
  const { data } = (await opened.json()) as { readonly data: { readonly token: string } };
  const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";");
  const headers = { cookie, "x-svc-session": data.token };
  const watched = new Watched(await fetch(gateway.keysUrl + path, { headers }));
  onTestFinished(() => watched.leave());
  expect(await watched.next()).toMatchObject({ event: "open" });
  const id = await chat(acme.another);
  expect(await requestIdOf(watched)).toBe(id);
  const signedOut = await fetch(`${base}/sessions/current`, {
    method: "DELETE",
    headers: { ...headers, origin: gateway.keysUrl },
  });
  expect(signedOut.status).toBe(204);
  expect(await watched.next()).toMatchObject({ event: "end", data: { reason: "signed_out" } });
});

test("a gateway that stops ends it at once", async () => {
  const own = await startGateway();
  const headers = { authorization: `Bearer ${own.operatorKey}` };
  const watched = new Watched(await fetch(own.keysUrl + path, { headers }));
  expect(await watched.next()).toMatchObject({ event: "open" });
  const stopped = own.stop();
  expect(await watched.next()).toMatchObject({ event: "end", data: { reason: "shutdown" } });
  await stopped;
});
