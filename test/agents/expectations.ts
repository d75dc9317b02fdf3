import { expect } from "vitest";
import type { AuditEventRow } from "../../src/contract/audit-api.ts";
import { AuditApi } from "../support/audit-api.ts";
import type { Mode } from "./lab.ts";
import type { Session } from "./session.ts";
import type { StubExchange } from "./stub/server.ts";
import type { TappedExchange } from "./tap.ts";

/** What holds for every session in which nothing goes wrong. */
export async function expectGoodSession(session: Session, mode: Mode): Promise<void> {
  for (const { code, stdout, stderr } of session.runs) {
    expect(code, `${stdout.slice(-2000)}\n${stderr.slice(-2000)}`).toBe(0);
  }
  const served = modelRequests(session);
  for (const { url, status, end, answer } of served) {
    expect([url, status, end], Buffer.concat(answer).toString()).toEqual([url, 200, "complete"]);
  }
  expectBytes(session, served);
  await expectRecords(session, served, mode);
}

/** Requests to a model, in the order in which the client sent them. */
export function modelRequests({ lab }: Session): readonly TappedExchange[] {
  return lab.tap.exchanges.filter(({ method }) => method === "POST");
}

/** What reached the stub is what the client sent, and the answer came back as the stub gave it. */
function expectBytes({ lab, setting }: Session, served: readonly TappedExchange[]): void {
  const isPaid = setting.mode === "pay-through";
  const received = lab.stub.received.filter(({ method }) => method === "POST");
  expect(received).toHaveLength(served.length);
  const left: StubExchange[] = [...received];
  for (const { url, body, answer } of served) {
    const text = body.toString();
    const isAsked = isPaid && asksNoUsage(url, text);
    const sent = isPaid ? withOwnCacheKey(isAsked ? withUsage(text) : text) : text;
    // An agent asks several at once, so the order may differ.
    const at = left.findIndex(
      (other) =>
        other.url === url &&
        (isPaid ? withoutCacheKey(other.body.toString()) : other.body.toString()) === sent,
    );
    expect(at, `the stub got no such body: ${sent.slice(0, 300)}`).not.toBe(-1);
    const [match] = left.splice(at, 1);
    const given = Buffer.concat(match?.answer ?? []).toString();
    const due = isAsked ? given.replace(/data: [^\n]*"choices":\[\],"usage"[^\n]*\n\n/, "") : given;
    expect(Buffer.concat(answer).toString()).toBe(due);
  }
}

/** A streamed chat request that does not ask for usage: the gateway asks, and keeps the answer's. */
function asksNoUsage(url: string, text: string): boolean {
  const { stream, stream_options } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return url.endsWith("/chat/completions") && stream === true && stream_options === undefined;
}

function withUsage(text: string): string {
  return text.replace(/\}$/, ',"stream_options":{"include_usage":true}}');
}

const ownCacheKey = '"prompt_cache_key":"of the organization"';

/** A body as the provider is to get it: the cache key is the organization's own. */
function withOwnCacheKey(sent: string): string {
  return sent.replace(/"prompt_cache_key":"[^"]*"/, ownCacheKey);
}

/** The same of a body that the provider got, if its key has the gateway's form. */
function withoutCacheKey(received: string): string {
  return received.replace(/"prompt_cache_key":"org_[0-9a-f]{32}"/, ownCacheKey);
}

/** Every request has its audit event, and what the service paid for its hold and its debit. */
async function expectRecords(
  { lab }: Session,
  served: readonly TappedExchange[],
  mode: Mode,
): Promise<void> {
  const audit = new AuditApi({ url: lab.gateway.url, operatorKey: lab.operatorKey });
  for (const { url, answerHeaders, body } of served) {
    const requestId = String(answerHeaders["x-svc-request-id"]);
    const isCount = url.includes("/count_tokens");
    const { event_type, data } = await audit.eventOf(requestId);
    expect({ event_type, ...data }).toMatchObject({
      event_type: "request.completed",
      http_status: 200,
      error_code: null,
      // Of a stream: its terminal event was seen.
      end: "complete",
      client_gone: false,
      stream: (JSON.parse(body.toString()) as { stream?: unknown }).stream === true,
    });
    if (mode === "own keys") {
      expect(data).toMatchObject({ cost_status: "byok", cost_usd: null });
    } else if (isCount) {
      expect(data).toMatchObject({ cost_status: "non_billable", usage: null });
    } else {
      expect(data).toMatchObject({ cost_status: "calculated" });
      await expectDebit(audit, requestId, data["cost_usd"]);
    }
  }
}

async function expectDebit(audit: AuditApi, requestId: string, cost: unknown): Promise<void> {
  const events = await settled(audit, requestId);
  expect(events.map(({ event_type }) => event_type)).toContain("payg.hold.placed");
  const debit = events.find(({ event_type }) => event_type === "payg.debit.applied");
  expect(debit?.data).toMatchObject({ costUsd: cost });
  expect(Number(cost)).toBeGreaterThan(0);
}

/** A stream is debited behind its last byte. */
async function settled(audit: AuditApi, requestId: string): Promise<readonly AuditEventRow[]> {
  for (;;) {
    const events = await audit.events(`request_id=${requestId}&`);
    if (events.some(({ event_type }) => event_type.startsWith("payg.debit."))) return events;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
