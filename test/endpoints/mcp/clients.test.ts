import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startGateway, type TestGateway } from "../../support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

function endpoint(): [URL, { requestInit: RequestInit }] {
  const headers = { authorization: `Bearer ${gateway.key}` };
  return [new URL(`${gateway.url}/v1/security/mcp`), { requestInit: { headers } }];
}

const about = { name: "test", version: "1.0.0" };
const scanCall = {
  name: "security_scan",
  arguments: { input: "Mail jane@example.com", categories: ["pii"] },
};

/** Both clients check the structured content of every result against the published output schema. */
describe.each(["handshake", "2026-07-28"] as const)("the official client, %s", (revision) => {
  async function connected() {
    if (revision === "handshake") {
      const client = new Client(about);
      // Its own types disagree about an optional member under exactOptionalPropertyTypes.
      const transport: object = new StreamableHTTPClientTransport(...endpoint());
      await client.connect(transport as Parameters<Client["connect"]>[0]);
      return client;
    }
    const client = new CurrentClient(about, {
      versionNegotiation: { mode: { pin: revision } },
    });
    await client.connect(new CurrentTransport(...endpoint()));
    return client;
  }

  test("lists and calls the tool", async () => {
    const client = await connected();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["security_scan"]);
    const result = await client.callTool(scanCall);
    expect(result.structuredContent).toMatchObject({
      detections: [{ entity_type: "EMAIL_ADDRESS", start: 5, end: 21 }],
    });
    await client.close();
  });

  test("takes a failure for one", async () => {
    const client = await connected();
    await client.listTools();
    const result = await client.callTool({ name: "security_scan", arguments: {} });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "invalid_request" } },
    });
    await client.close();
  });
});
