import { afterAll, beforeAll, expect, test } from "vitest";
import { describeWithPostgres, TestDatabase } from "../store/shared/database.ts";
import { AuditApi } from "../support/audit-api.ts";
import { chatAnswer, chatBody } from "../support/cached.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";

describeWithPostgres("the response caches of gateways that share a store", () => {
  const database = new TestDatabase();
  const gateways: TestGateway[] = [];
  let upstream: Recorder;

  beforeAll(async () => {
    upstream = await startRecorder((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(chatAnswer("secret"));
    });
    const account = { name: "up", type: "openai", baseUrl: upstream.origin, wires: ["chat"] };
    const options = {
      config: {
        store: { type: "postgres", url: { env: "WEIR_TEST_DATABASE" } },
        providers: [{ ...account, models: ["m"] }],
        network: { allowedInternalHosts: ["127.0.0.1"] },
      },
      env: { WEIR_TEST_DATABASE: database.url },
    };
    const first = await startGateway(options);
    gateways.push(first, await startGateway(options, first));
  }, 60_000);
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    await upstream.close();
  });

  /** What `X-Svc-Cache` says. */
  async function ask({ url, key }: TestGateway, body: string): Promise<string | null> {
    const headers = { authorization: `Bearer ${key}`, "x-svc-cache": "on" };
    const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
    expect(await response.text()).toContain("secret");
    return response.headers.get("x-svc-cache");
  }

  test("give no answer of before once its content was erased at one of them", async () => {
    const [first] = gateways;
    if (first === undefined) throw new Error("there is no gateway");
    const orgId = await new KeysApi(first).firstOrganization();
    const body = chatBody("hello");
    // Each gateway has an answer of its own: nothing is shared.
    for (const gateway of gateways) {
      expect(await ask(gateway, body)).toBe("miss");
      expect(await ask(gateway, body)).toBe("hit");
    }
    const called = upstream.received.length;
    const { status } = await new AuditApi(first).call(`content?orgId=${orgId}`, "DELETE");
    expect(status).toBe(204);
    for (const gateway of gateways) expect(await ask(gateway, body)).toBe("miss");
    expect(upstream.received).toHaveLength(called + gateways.length);
    // It is no change of the organization.
    const events = await new AuditApi(first).events(`orgId=${orgId}&`);
    expect(events.map(({ event_type }) => event_type)).not.toContain("organization.updated");
  });
});
