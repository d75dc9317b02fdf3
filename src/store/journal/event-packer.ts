import {
  canonicalRequest,
  type RequestEvent,
  type RequestFacts,
} from "../../contract/request-event.ts";
import type { UsageBuckets } from "../../contract/usage.ts";
import { ByteWriter } from "../../runtime/packed-bytes.ts";
import { packedFlags, packedKinds, type PackedEvents } from "./packed-events.ts";

/** Packs events for the thread that writes them, in about a microsecond for each request. */
export class EventPacker {
  readonly #bytes = new ByteWriter();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** An event in its canonical form: JSON without line breaks. */
  line(event: string): void {
    this.#count += 1;
    this.#bytes.byte(packedKinds.line);
    this.#bytes.text(event);
  }

  /** Packs a request's event as it is now; later changes of the object have no effect. */
  request(event: RequestEvent, createdAtMs: number): void {
    const { facts } = event;
    const cost = Number(facts.cost?.costMicroUsd ?? Number.NaN);
    if (!Number.isNaN(cost) && !Number.isSafeInteger(cost)) {
      // An amount above nine billion dollars, which a double can't represent exactly in
      // micro-dollars.
      this.line(canonicalRequest(event, new Date(createdAtMs).toISOString()));
      return;
    }
    this.#count += 1;
    const to = this.#bytes;
    to.byte(packedKinds.request);
    to.number(createdAtMs);
    to.text(event.eventType);
    to.text(event.orgId);
    to.text(event.requestId);
    to.number(event.httpStatus);
    to.byte(flagsOf(facts));
    to.text(facts.route);
    to.text(facts.apiKeyId);
    to.text(facts.provider);
    to.text(facts.model);
    to.text(facts.errorCode);
    to.text(facts.end);
    to.text(event.inputSha256);
    to.text(facts.injection?.verdict ?? null);
    to.number(facts.injection?.score ?? null);
    to.text(facts.injection?.place ?? null);
    putPolicy(to, facts.policy);
    to.text(event.costStatus);
    to.number(cost);
    putUsage(to, facts.cost?.buckets ?? null);
    to.text(facts.cost?.assumedPrice ?? null);
    to.number(facts.inputTokens);
    to.text(facts.scanId);
    to.number(facts.bodyMs);
    to.number(facts.queueMs);
    to.number(facts.scanMs);
    to.number(facts.holdMs);
    to.number(facts.firstByteMs);
    to.number(event.totalMs);
    to.text(facts.account);
    putAttempts(to, facts.calls);
    to.number(facts.upstreamStatus);
    to.text(facts.cache);
    to.text(facts.team);
    // Most requests have neither.
    to.text(event.tags === null ? null : JSON.stringify(event.tags));
    to.text(facts.findingCounts === null ? null : JSON.stringify(facts.findingCounts));
    to.text(facts.cost?.serviceTier ?? null);
    to.text(facts.servedModel);
  }

  /** The events that were packed since the last call. */
  take(): PackedEvents {
    const packed = { count: this.#count, bytes: new Uint8Array(this.#bytes.written) };
    this.#bytes.clear();
    this.#count = 0;
    return packed;
  }
}

function putAttempts(to: ByteWriter, calls: RequestFacts["calls"]): void {
  to.byte(calls.length);
  for (const { account, status, ms } of calls) {
    to.text(account);
    to.number(status);
    to.number(ms);
  }
}

function putPolicy(to: ByteWriter, policy: RequestFacts["policy"]): void {
  to.text(policy?.id ?? null);
  if (policy === null) return;
  to.number(policy.version);
  to.number(policy.replaced ?? null);
  to.text(policy.action);
  to.text(policy.input === null ? null : JSON.stringify(policy.input));
  to.text(policy.output === null ? null : JSON.stringify(policy.output));
}

function putUsage(to: ByteWriter, buckets: UsageBuckets | null): void {
  if (buckets === null) {
    to.number(null);
    return;
  }
  to.number(buckets.uncachedInput);
  to.number(buckets.cacheRead);
  to.number(buckets.cacheWrite5m);
  to.number(buckets.cacheWrite1h);
  to.number(buckets.audioInput);
  to.number(buckets.imageInput);
  to.number(buckets.outputText);
  to.number(buckets.reasoning);
  to.number(buckets.audioOutput);
  to.number(buckets.imageOutput);
  to.number(buckets.toolCalls);
}

function flagsOf(facts: RequestFacts): number {
  return (
    (facts.stream ? packedFlags.stream : 0) |
    (facts.clientGone ? packedFlags.clientGone : 0) |
    (facts.isScan ? packedFlags.isScan : 0) |
    (facts.policy?.dryRun === true ? packedFlags.dryRun : 0)
  );
}
