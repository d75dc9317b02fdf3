import { microUsd } from "../../src/contract/money.ts";
import { accept } from "../../src/contract/outcome.ts";
import type { RequestEvent } from "../../src/contract/request-event.ts";
import { noUsage } from "../../src/contract/usage.ts";
import { KeptBodies } from "../../src/pipeline/record/kept-bodies.ts";
import { RequestRecord } from "../../src/pipeline/record/record.ts";
import { requestEvent } from "../../src/pipeline/record/request-event.ts";
import type { JournalBatch } from "../../src/store/journal/batch.ts";
import { EventPacker } from "../../src/store/journal/event-packer.ts";
import { Journal } from "../../src/store/journal/journal.ts";
import { unpackLines, type PackedEvents } from "../../src/store/journal/packed-events.ts";
import type { OpenSuite, Suite } from "./suite.ts";
import { time } from "./timing.ts";

/** The cost of one record of a request, for the loop and for the thread that writes it. */
export const auditSuite: Suite = { id: "audit", group: "A durable record", open };

/** The number of records in one flush. */
const perCall = 128;

function open(): OpenSuite {
  const write = (batch: JournalBatch) => {
    // A batch is cloned in this way when it is sent to the writing thread.
    structuredClone(batch);
    return Promise.resolve(accept(null));
  };
  const close = () => Promise.resolve();
  const journal = new Journal({
    writer: { write, apply: () => Promise.resolve(accept(null)), close },
    lastBatch: 0,
    onFlushFailed: () => null,
  });
  const packer = new EventPacker();
  const records = Array.from({ length: perCall }, (_, i) => record(i));
  const events = records.map(eventOf);
  const packAll = () => {
    for (const event of events) packer.request(event, Date.now());
    return packer.take();
  };
  let packed: PackedEvents | undefined;
  const told = (label: string) => ({ label, per: perCall });
  const pieces = [
    time("event", told("The event of a record"), () => records.map(eventOf)),
    time("encode", told("Encode"), packAll),
    time("record", told("All of it: event, encode, enqueue, hand over"), async () => {
      for (const [i, one] of records.entries()) journal.appendRequest(eventOf(one, i), Date.now());
      await journal.flushedAll(null);
    }),
    // This one comes last. It makes objects of the same shapes with other kinds of numbers, which
    // another thread does in a gateway. Here it would invalidate the compiled code of the pieces
    // above.
    time("canonical", told("Its canonical form, in the writing thread"), () =>
      unpackLines([(packed ??= packAll())]),
    ),
  ];
  return { pieces, close: () => journal.close() };
}

export function eventOf(of: RequestRecord, i: number): RequestEvent {
  const requestId = `5PDGgK17Tnm8vMUUt5GfuQ-${i}`;
  const event = requestEvent(of, { requestId, status: 200 }, 812.417 + i);
  if (event === null) throw new Error("a request of an organization has an event");
  return event;
}

/** A record in the state at the end of a request, with its own values in its own objects. */
export function record(i: number): RequestRecord {
  const filled = new RequestRecord("chat");
  filled.orgId = "org_01a1fd03077508df3b4f74bdb5c24f9c";
  filled.apiKeyId = "key_01a1fd03077508df3b4f74bedf88e817";
  filled.provider = "openai";
  filled.model = "openai/gpt-5.1";
  filled.stream = true;
  filled.end = "complete";
  filled.injection = { verdict: "allow", score: 0.02, reason_code: "below_strict_threshold" };
  filled.policy = {
    id: "default",
    version: 1,
    dryRun: false,
    action: null,
    actions: { input: null, output: null },
    input: null,
    output: null,
  };
  filled.cost = {
    costMicroUsd: microUsd(31n + BigInt(i)),
    status: "calculated",
    buckets: { ...noUsage, uncachedInput: 812 + i, cacheRead: 2048, outputText: 96 },
    catalogVersion: null,
    assumedPrice: null,
    serviceTier: null,
  };
  filled.bodyMs = 0.12 + i / 1000;
  filled.scanMs = 0.31 + i / 1000;
  filled.holdMs = 0.011;
  // The first byte comes 640 ms after the request, and some microseconds.
  filled.bodies = new KeptBodies(performance.now() - 640.912 - i / 1000);
  filled.bodies.sent(Buffer.from("{"));
  return filled;
}
