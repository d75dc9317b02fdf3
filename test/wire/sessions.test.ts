import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { answerFaults } from "../openapi/described-api.ts";

let gateway: TestGateway;
let api: KeysApi;
/** Each test signs in from an address of its own, because attempts are counted by address. */
let addresses = 0;

beforeAll(async () => {
  gateway = await startGateway({ config: { network: { trustedProxies: ["127.0.0.1"] } } });
  api = new KeysApi(gateway);
});
afterAll(() => gateway.stop());

interface Browser {
  readonly cookie: string;
  readonly token: string;
}

const base = "/api/v1/gateway";

function call(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Response> {
  return fetch(gateway.keysUrl + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function attempt(key: string, address: string, headers = {}): Promise<Response> {
  return call("POST", `${base}/sessions`, { "x-forwarded-for": address, ...headers }, { key });
}

async function signIn(key: string): Promise<Browser> {
  const response = await attempt(key, `192.0.2.${(addresses += 1)}`);
  expect(response.status).toBe(201);
  expect(await answerFaults("POST", `${base}/sessions`, response.clone())).toEqual([]);
  const { data } = (await response.json()) as { readonly data: { readonly token: string } };
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  return { cookie, token: data.token };
}

function asBrowser({ cookie, token }: Browser, more = {}): Record<string, string> {
  return { cookie, "x-svc-session": token, ...more };
}

test("a key becomes a session: its cookie can't be read by a page, nor sent by another site", async () => {
  const response = await attempt(gateway.operatorKey, `192.0.2.${(addresses += 1)}`);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("set-cookie")).toMatch(
    /^weir-session=[0-9a-f]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  const { data } = (await response.json()) as { readonly data: Record<string, unknown> };
  expect(data).toMatchObject({ key: { role: "operator", orgId: null }, idleSeconds: 1800 });
  expect(JSON.stringify(data)).not.toContain(gateway.operatorKey);
});

test("with both secrets every endpoint of the keys API knows the key; with one, none does", async () => {
  const browser = await signIn(gateway.operatorKey);
  const statusWith = async (headers: Record<string, string>): Promise<number> =>
    (await call("GET", `${base}/orgs`, headers)).status;
  expect(await statusWith(asBrowser(browser))).toBe(200);
  expect(await statusWith({ cookie: browser.cookie })).toBe(401);
  expect(await statusWith({ "x-svc-session": browser.token })).toBe(401);
  const other = await signIn(gateway.operatorKey);
  expect(await statusWith({ cookie: browser.cookie, "x-svc-session": other.token })).toBe(401);
});

test("who is signed in, and signing out", async () => {
  const browser = await signIn(gateway.key);
  const path = `${base}/sessions/current`;
  const shown = await call("GET", path, asBrowser(browser));
  expect(await answerFaults("GET", path, shown.clone())).toEqual([]);
  expect(await shown.json()).toMatchObject({ data: { key: { role: "member" } } });
  // What the cookie alone asks for, or another page, is not done.
  expect((await call("DELETE", path, asBrowser(browser))).status).toBe(401);
  expect(
    (await call("DELETE", path, asBrowser(browser, { origin: "http://evil.example" }))).status,
  ).toBe(401);
  const out = await call("DELETE", path, asBrowser(browser, { origin: gateway.keysUrl }));
  expect([out.status, out.headers.get("set-cookie")]).toEqual([
    204,
    "weir-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict",
  ]);
  expect((await call("GET", path, asBrowser(browser))).status).toBe(401);
  // A key is no session.
  expect((await call("GET", path, { authorization: `Bearer ${gateway.key}` })).status).toBe(401);
});

test("changes need the dashboard's own Origin", async () => {
  const browser = await signIn(gateway.operatorKey);
  const create = async (headers: object): Promise<number> =>
    (await call("POST", `${base}/orgs`, asBrowser(browser, headers), { name: "o", plan: "free" }))
      .status;
  expect(await create({})).toBe(401);
  const { port } = new URL(gateway.keysUrl);
  for (const origin of ["http://evil.example", "null", `http://127.0.0.1:${Number(port) + 1}`]) {
    expect(await create({ origin })).toBe(401);
  }
  expect(await create({ origin: gateway.keysUrl })).toBe(201);
  // Nor may another site's page read, whatever the browser would let it see.
  const read = await call(
    "GET",
    `${base}/orgs`,
    asBrowser(browser, { origin: "http://evil.example" }),
  );
  expect(read.status).toBe(401);
});

test("another site's page may not sign in", async () => {
  const address = `192.0.2.${(addresses += 1)}`;
  const refused = await attempt(gateway.operatorKey, address, { origin: "http://evil.example" });
  expect([refused.status, refused.headers.get("set-cookie")]).toEqual([403, null]);
  const own = await attempt(gateway.operatorKey, address, { origin: gateway.keysUrl });
  expect(own.status).toBe(201);
});

test("a browser signs in at an address, at localhost, or at a name that the file has", async () => {
  const attemptAt = (at: TestGateway, host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      // Not fetch, which sets Host by itself.
      const headers = { host, origin: `http://${host}`, "content-type": "application/json" };
      request(`${at.keysUrl}${base}/sessions`, { method: "POST", headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on("error", reject)
        .end(JSON.stringify({ key: at.operatorKey }));
    });
  // DNS rebinding: a page's own name leads here, so that its origin is that of the dashboard.
  expect(await attemptAt(gateway, "evil.example")).toBe(403);
  expect(await attemptAt(gateway, "evil.example:8788")).toBe(403);
  expect(await attemptAt(gateway, "localhost:8788")).toBe(201);
  expect(await attemptAt(gateway, "192.0.2.7")).toBe(201);
  expect(await attemptAt(gateway, "[::1]:8788")).toBe(201);
  const named = await startGateway({ config: { dashboard: { publicUrl: "http://weir.example" } } });
  try {
    expect(await attemptAt(named, "weir.example")).toBe(201);
    expect(await attemptAt(named, "other.example")).toBe(403);
  } finally {
    await named.stop();
  }
});

test("the gateway's own port knows no session", async () => {
  const browser = await signIn(gateway.key);
  for (const headers of [
    asBrowser(browser),
    {
      authorization: `Bearer sk-gw-session.${browser.cookie.split("=")[1] ?? ""}.${browser.token}`,
    },
  ]) {
    const response = await fetch(`${gateway.url}/v1/me`, { headers });
    expect(response.status).toBe(401);
  }
});

test("a session ends with its key, and at once where the key is rotated without grace", async () => {
  const orgId = await api.firstOrganization();
  const [revoked, rotated] = [
    await api.key({ orgId, role: "admin" }),
    await api.key({ orgId, role: "admin" }),
  ];
  const browsers = [await signIn(revoked.secret), await signIn(rotated.secret)];
  const statuses = (): Promise<readonly number[]> =>
    Promise.all(
      browsers.map(
        async (browser) => (await call("GET", `${base}/api-keys`, asBrowser(browser))).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200]);
  expect((await api.call("DELETE", `api-keys/${revoked.key.id}`)).status).toBe(204);
  await api.data(200, "POST", `api-keys/${rotated.key.id}/rotate`, { gracePeriodSeconds: 0 });
  expect(await statuses()).toEqual([401, 401]);
});

test("ten attempts a minute and address, those that succeed among them", async () => {
  const address = "198.51.100.7";
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) {
    const key = i % 2 === 0 ? gateway.operatorKey : `sk-gw-${"0".repeat(48)}`;
    statuses.push((await attempt(key, address)).status);
  }
  expect(statuses).toEqual([
    ...Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 201 : 401)),
    429,
  ]);
  expect((await attempt(gateway.operatorKey, "198.51.100.8")).status).toBe(201);
});

test("sign-ins, refusals and sign-outs stand in the audit log, without a secret", async () => {
  const browser = await signIn(gateway.operatorKey);
  await attempt("sk-gw-wrong-one", `192.0.2.${(addresses += 1)}`);
  await call("DELETE", `${base}/sessions/current`, asBrowser(browser, { origin: gateway.keysUrl }));
  const events = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${gateway.operatorKey}` };
    return (await fetch(`${gateway.url}/v1/audit/events?limit=1000`, { headers })).text();
  };
  await expect.poll(events).toContain("session.refused");
  const text = await events();
  expect(text).toContain("session.opened");
  expect(text).toContain("session.closed");
  for (const secret of [browser.token, browser.cookie.split("=")[1] ?? "", "sk-gw-wrong-one"]) {
    expect(text).not.toContain(secret);
  }
});

test("behind https the cookie is bound to its host", async () => {
  const origin = "https://weir.example";
  const secured = await startGateway({ config: { dashboard: { publicUrl: origin } } });
  try {
    const path = `${secured.keysUrl}${base}/sessions`;
    const open = (from: string): Promise<Response> =>
      fetch(path, {
        method: "POST",
        headers: { origin: from },
        body: JSON.stringify({ key: secured.operatorKey }),
      });
    expect((await open(secured.keysUrl)).status).toBe(403);
    const opened = await open(origin);
    expect(opened.headers.get("set-cookie")).toMatch(
      /^__Host-weir-session=[0-9a-f]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    );
  } finally {
    await secured.stop();
  }
});
