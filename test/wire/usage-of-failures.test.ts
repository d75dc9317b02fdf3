import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGatewayBefore, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { dataEvent, ScriptedProvider, type Script } from "../support/scripted-provider.ts";
import { billedWires, streamedWires, type WireRow } from "../support/wires.ts";

let provider: ScriptedProvider;
let gateway: TestGateway;
let api: KeysApi;

beforeAll(async () => {
  provider = await ScriptedProvider.start();
  gateway = await startGatewayBefore(provider.origin);
  api = new KeysApi(gateway);
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

let organizations = 0;

/** A new organization with a policy for answers, a key, and limits that count what it uses. */
async function organization() {
  organizations += 1;
  const { id: orgId } = await api.organization(`failures ${organizations}`, {});
  await api.data(201, "POST", `orgs/${orgId}/top-ups`, { amountUsd: "1", idempotencyKey: "a" });
  const { secret } = await api.ruledKey(orgId, {
    customPatterns: [{ name: "one", regex: "PRJ-[0-9]{2}", direction: "output", action: "block" }],
  });
  const limits = await Promise.all(
    ["tokens", "requests"].map(async (limitType) => {
      const limit = { orgId, name: limitType, limitType, threshold: "1000000", timeWindow: "1 hour" };
      return (await api.data(201, "POST", "usage-limits", limit))["id"];
    }),
  );
  const used = (): Promise<unknown[]> =>
    Promise.all(
      limits.map(
        async (id) => (await api.data(200, "GET", `usage-limits/${id}/usage`))["currentUsage"],
      ),
    );
  return { secret, used };
} // prettier-ignore

function ask(
  secret: string,
  stream: boolean,
  own: boolean,
  { path, request }: WireRow = streamedWires[0],
  origin = provider.origin,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const body = { ...request, model: own ? "m" : "p/m", ...(stream ? { stream } : {}) };
  const upstream = {
    authorization: "Bearer provider-key",
    "x-svc-api-key": secret,
    "x-svc-upstream-url": origin,
  };
  return fetch(gateway.url + path, {
    method: "POST",
    headers: own ? upstream : { authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
    signal,
  });
}

const [{ sse: chat }] = streamedWires;
const events = (...sse: string[]): Script => ({ sse, pauseMs: 20 });
const blocked = { choices: [{ message: { content: "PRJ-12" } }] };
const blockedItem = { output: [{ type: "message", content: [{ text: "PRJ-12" }] }] };
const blockedBlock = { type: "message", content: [{ type: "text", text: "PRJ-12" }] };

const failed: readonly [string, Script, boolean][] = [
  ["a status that tells of one", { json: {}, status: 500 }, false],
  ["an error in 2xx", { json: { error: { message: "no" } } }, false],
  ["a redirect", { json: {}, status: 302 }, false],
  ["an error in a stream", events(chat[0], dataEvent({ error: { message: "no" } })), true],
  ["a stream that is cut", { ...events(chat[0]), cut: true }, true],
]; // prettier-ignore

describe.each([false, true])("with own keys: %s", (own) => {
  const cases = billedWires.flatMap((wire) =>
    failed
      .filter(([, , stream]) => !stream || wire === streamedWires[0])
      .map(([name, script, stream]) => ({ name, wire, wireName: wire.name, script, stream })),
  );
  test.each(cases)(
    "$name, $wireName: the call counts as a request, without tokens",
    async ({ wire, script, stream }) => {
      const { secret, used } = await organization();
      provider.script = script;
      await (await ask(secret, stream, own, wire)).text();
      await expect.poll(used).toEqual(["0", "1"]);
    },
  );

  test.each([
    [streamedWires[0], blocked],
    [streamedWires[1], blockedBlock],
    [streamedWires[2], blockedItem],
  ])("an answer that the policy blocks, $name", async (wire, words) => {
    const { secret, used } = await organization();
    provider.script = { json: { ...wire.json, ...words } };
    expect((await ask(secret, false, own, wire)).status).toBe(403);
    await expect.poll(used).toEqual(["0", "1"]);
  });

  test.each(streamedWires)("a stream of $name that is cut after its first event", async (wire) => {
    const { secret, used } = await organization();
    provider.script = { ...events(wire.sseWithoutUsage[0] ?? ""), cut: true };
    await (await ask(secret, true, own, wire)).text();
    await expect.poll(used).toEqual(["0", "1"]);
  });

  test("a stream that is cut behind its usage counts what it used", async () => {
    const { secret, used } = await organization();
    provider.script = { ...events(chat[0], chat[1]), cut: true };
    await (await ask(secret, true, own)).text();
    await expect.poll(used).toEqual(["15", "1"]);
  });

  test.each(billedWires)("$name counts what its answer tells", async (wire) => {
    const { secret, used } = await organization();
    provider.script = { json: wire.json };
    await (await ask(secret, false, own, wire)).text();
    const sum = Object.values(wire.usage).reduce((all, one) => all + one);
    await expect.poll(used).toEqual([String(sum), "1"]);
  });

  test.each(billedWires)(
    "a whole answer of $name that does not tell its usage counts as the worst case",
    async (wire) => {
      const { secret, used } = await organization();
      provider.script = { json: wire.withoutUsage };
      await (await ask(secret, false, own, wire)).text();
      await expect
        .poll(async () => Number((await used())[0]))
        .toBeGreaterThan(wire.name === "embeddings" ? 30 : 100);
    },
  );
});

test("a call that was given up before its connection stood counts nothing", async () => {
  const { secret, used } = await organization();
  const connections: Socket[] = [];
  // It says nothing of TLS.
  const silent = createServer((socket) => connections.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const origin = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const leave = new AbortController();
  const asked = ask(secret, false, true, undefined, origin, leave.signal);
  await expect.poll(() => connections.length).toBe(1);
  leave.abort();
  await expect(asked).rejects.toThrow();
  const ended = (): unknown => gateway.log.find(({ end }) => end === "abandoned");
  await expect.poll(ended).toBeTruthy();
  // Not before: the gateway might see this end first.
  for (const socket of connections) socket.destroy();
  silent.close();
  expect(await used()).toEqual(["0", "0"]);
});
