import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditEventRow } from "../../src/contract/audit-api.ts";
import type { RecordContent } from "../../src/contract/records-api.ts";
import { readCheckpoint } from "../../src/store/audit/checkpoint.ts";
import { inclusionHolds, leafHash } from "../../src/store/audit/merkle.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";

let gateway: TestGateway;
let keys: KeysApi;
let audit: AuditApi;
let acme: Tenant;
let other: Tenant;

interface Tenant {
  readonly id: string;
  readonly admin: KeysApi;
  readonly adminKeyId: string;
  readonly viewer: KeysApi;
  readonly member: KeysApi;
  readonly memberKey: string;
  readonly audit: AuditApi;
}

beforeAll(async () => {
  gateway = await startGateway();
  keys = new KeysApi(gateway);
  audit = new AuditApi(gateway);
  acme = await tenant("acme");
  other = await tenant("other");
});
afterAll(() => gateway.stop());

async function tenant(name: string): Promise<Tenant> {
  const { id } = await keys.organization(name);
  await keys.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd: "5", idempotencyKey: "first" });
  const admin = await keys.key({ orgId: id, role: "admin" });
  const viewer = await keys.key({ orgId: id, role: "viewer" });
  const member = await keys.key({ orgId: id });
  return {
    id,
    admin: keys.as(admin.secret),
    adminKeyId: admin.key.id,
    viewer: keys.as(viewer.secret),
    member: keys.as(member.secret),
    memberKey: member.secret,
    audit: new AuditApi(gateway, admin.secret),
  };
}

interface Sent {
  readonly id: string;
  readonly index: number;
  readonly request: string;
  readonly response: string;
}

/** A chat whose content is on the disk. */
async function chat(content: string, more: object = {}): Promise<Sent> {
  const messages = [{ role: "user", content }];
  const request = JSON.stringify({ model: "demo/echo", messages, ...more });
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${acme.memberKey}` },
    body: request,
  });
  const response = await answer.text();
  const id = answer.headers.get("x-svc-request-id") ?? "";
  const { index } = await audit.eventOf(id);
  await expect.poll(() => contentOf(keys, id)).not.toBeNull();
  return { id, index, request, response };
}

async function contentOf(api: KeysApi, id: string): Promise<RecordContent["content"]> {
  const { status, body } = await api.call("GET", `records/content?request_id=${id}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body?.["data"] as RecordContent).content;
}

function unmask(api: KeysApi, request_id: string, reason: string) {
  return api.call("POST", "records/content/unmask", { request_id, reason });
}

function reads(of: AuditApi, id: string): Promise<readonly AuditEventRow[]> {
  return of.events(`event_type=content.read&request_id=${id}&`);
}

const secret = "Mail ada@example.org, card 4111 1111 1111 1111";

describe.each([
  ["JSON", {}],
  ["a stream", { stream: true }],
])("%s", (_name, more) => {
  test("is shown masked to operators and admins, and nothing is recorded", async () => {
    const { id, index, request, response } = await chat(secret, more);
    for (const api of [keys, acme.admin]) {
      const content = await contentOf(api, id);
      const masked = request.replace(secret, "Mail <EMAIL>, card <CREDIT_CARD>");
      expect(content).toMatchObject({
        masked: true,
        request: { text: masked, bytes: request.length, found: { EMAIL: 1, CREDIT_CARD: 1 } },
        response: { bytes: Buffer.byteLength(response), found: { EMAIL: 1, CREDIT_CARD: 1 } },
      });
      for (const hidden of ["ada@", "example.org", "1111"]) {
        expect(JSON.stringify(content)).not.toContain(hidden);
      }
    }
    for (const one of [audit, acme.audit]) {
      const shown = await one.text(`events/${index}`);
      expect(shown).toContain("Mail <EMAIL>, card <CREDIT_CARD>");
      expect(shown).not.toContain("ada@");
    }
    expect(await reads(audit, id)).toEqual([]);
  });

  test("is shown as it came, once the log says who read it and why", async () => {
    const { id, index, request, response } = await chat(secret, more);
    const { status, body } = await unmask(keys, id, "  ticket 4711  ");
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        data: {
          request_id: id,
          index,
          org_id: acme.id,
          content: { masked: false, request: { text: request }, response: { text: response } },
        },
      },
    });
    const again = await unmask(acme.admin, id, "to see");
    expect(again.status).toBe(200);
    // The events are there at once: the answers waited for them.
    const found = await reads(acme.audit, id);
    expect(found).toMatchObject([
      {
        org_id: acme.id,
        data: { index, reason: "to see", by_key_id: acme.adminKeyId, by_role: "admin" },
      },
      { org_id: acme.id, data: { index, reason: "ticket 4711", by_role: "operator" } },
    ]);
    expect(await reads(other.audit, id)).toEqual([]);
    expect(found[0]?.data["by_request_id"]).toBe(again.headers.get("x-svc-request-id"));
    await proves(acme.audit, found[1]?.index ?? -1, "ticket 4711");
  });
});

/** The organization's admin verifies the event with what the API gives. */
async function proves(of: AuditApi, index: number, reason: string): Promise<void> {
  const proof = await of.proof(index);
  const leaf = Buffer.from(proof.leafData, "base64");
  expect(JSON.parse(leaf.toString())).toMatchObject({ data: { reason } });
  const hashes = proof.hashes.map((hash) => Buffer.from(hash, "base64"));
  const root = readCheckpoint(proof.checkpoint, await of.text("key"))?.root ?? Buffer.alloc(0);
  const { treeSize } = proof;
  expect(inclusionHolds(leafHash(leaf), proof.index, treeSize, hashes, root)).toBe(true);
}

test("an event of the log shows it as it came with a reason alone", async () => {
  const { id, index, request } = await chat(secret);
  expect(await audit.json(`events/${index}?reason=court%20order`)).toMatchObject({
    data: { index, content: { masked: false, request: { text: request } } },
  });
  expect(await reads(acme.audit, id)).toMatchObject([{ data: { reason: "court order" } }]);
  for (const bad of ["", "%20", "x".repeat(501)]) {
    expect(await audit.refusal(`events/${index}?reason=${bad}`)).toEqual([
      400,
      "invalid_request",
      "reason",
    ]);
  }
  expect(await other.audit.refusal(`events/${index}?reason=curious`)).toEqual([
    404,
    "not_found",
    undefined,
  ]);
  expect(await reads(audit, id)).toHaveLength(1);
});

test("who may read", async () => {
  const { id } = await chat(secret);
  const path = `records/content?request_id=${id}`;
  const body = { request_id: id, reason: "curious" };
  const post = ["POST", "records/content/unmask", body] as const;
  for (const api of [acme.viewer, acme.member, other.viewer, other.member]) {
    expect(await api.refusal("GET", path)).toEqual([403, "forbidden", undefined]);
    expect(await api.refusal(...post)).toEqual([403, "forbidden", undefined]);
  }
  expect(await other.admin.refusal("GET", path)).toEqual([404, "not_found", "request_id"]);
  expect(await other.admin.refusal(...post)).toEqual([404, "not_found", "request_id"]);
  expect(await keys.as("sk-gw-none").refusal(...post)).toEqual([401, "invalid_key", undefined]);
  expect(await reads(audit, id)).toEqual([]);
});

test.each<[body: object, param: string]>([
  [{ request_id: "x" }, "reason"],
  [{ request_id: "x", reason: " " }, "reason"],
  [{ request_id: "x", reason: 5 }, "reason"],
  [{ request_id: "x", reason: "y".repeat(501) }, "reason"],
  [{ reason: "y" }, "request_id"],
  [{ request_id: 5, reason: "y" }, "request_id"],
  [{ request_id: "x", reason: "y", orgId: "z" }, "orgId"],
])("%j is refused for %s", async (body, param) => {
  const answer = await keys.refusal("POST", "records/content/unmask", body);
  expect(answer).toEqual([400, "invalid_request", param]);
});

test("content that is gone is null, and its reading is no event", async () => {
  const { id, index } = await chat(secret);
  expect((await acme.audit.call(`events/${index}/content`, "DELETE")).status).toBe(204);
  expect(await contentOf(keys, id)).toBeNull();
  expect((await unmask(keys, id, "too late")).body).toMatchObject({ data: { content: null } });
  expect(await reads(audit, id)).toEqual([]);
  expect(await keys.refusal("GET", "records/content?request_id=none")).toEqual([
    404,
    "not_found",
    "request_id",
  ]);
});
