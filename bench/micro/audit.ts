import { canonicalEvent, type AuditEvent } from "../../src/contract/audit.ts";
import { accept } from "../../src/contract/outcome.ts";
import { noUsage } from "../../src/contract/usage.ts";
import { Journal } from "../../src/store/journal/journal.ts";
import type { OpenSuite, Suite } from "./suite.ts";
import { time } from "./timing.ts";

/** What one record of a request costs the loop: its canonical form, and appending it to the journal. */
export const auditSuite: Suite = { id: "audit", group: "A durable record", open };

const perCall = 1_000;

function open(): OpenSuite {
  const createdAt = new Date().toISOString();
  const line = canonicalEvent(requestEvent(), createdAt);
  const journal = new Journal({
    writer: { write: () => Promise.resolve(accept(null)), close: () => Promise.resolve() },
    lastBatch: 0,
    onFlushFailed: console.error,
  });
  const note = `a record of ${line.length} characters`;
  const told = (label: string) => ({ label, note, per: perCall });
  const pieces = [
    time("object", told("The object alone"), () => {
      for (let i = 0; i < perCall; i += 1) requestEvent();
    }),
    time("encode", told("The object and its canonical form"), () => {
      for (let i = 0; i < perCall; i += 1) canonicalEvent(requestEvent(), createdAt);
    }),
    time("enqueue", told("Enqueue, and what its flush joins"), async () => {
      for (let i = 0; i < perCall; i += 1) journal.append([line]);
      await journal.flushedAll(null);
    }),
    time("record", told("All of it: object, encode, enqueue"), async () => {
      for (let i = 0; i < perCall; i += 1) {
        journal.append([canonicalEvent(requestEvent(), createdAt)]);
      }
      await journal.flushedAll(null);
    }),
  ];
  return { pieces, close: () => journal.close() };
}

const usage = { ...noUsage, uncachedInput: 812, cacheRead: 2048, outputText: 96 };
let requests = 0;

/** As a request leaves it: values of its own, in an object that is new each time. */
function requestEvent(): AuditEvent {
  requests += 1;
  return {
    eventType: "request.completed",
    message: "A request was answered.",
    orgId: "org_01a1fd03077508df3b4f74bdb5c24f9c",
    requestId: `5PDGgK17Tnm8vMUUt5GfuQ-${requests}`,
    data: {
      route: "chat",
      type: "request",
      api_key_id: "key_01a1fd03077508df3b4f74bedf88e817",
      provider: "openai",
      model: "openai/gpt-5.1",
      http_status: 200,
      error_code: null,
      stream: true,
      end: "complete",
      client_gone: false,
      verdict: "allow",
      score: 0.02,
      usage,
      cost_usd: "0.000031",
      cost_status: "calculated",
      latency_ms: 812.417 + (requests % 1000),
    },
  };
}
