import type { LoggedLine, LogSource } from "../../../src/store/read-model/log-source.ts";
import { canonicalEvent } from "../../../src/contract/audit.ts";
import { microUsd } from "../../../src/contract/money.ts";
import {
  canonicalRequest,
  type RequestEvent,
  type RequestFacts,
} from "../../../src/contract/request-event.ts";
import { noUsage } from "../../../src/contract/usage.ts";

/** A log in memory. */
export class TestLog implements LogSource {
  readonly lines: string[] = [];

  get size(): number {
    return this.lines.length;
  }

  read(first: number, most: number): readonly LoggedLine[] {
    return this.lines.slice(first, first + most).map((line, i) => ({ index: first + i, line }));
  }
}

export const start = Date.parse("2026-03-01T00:00:00.000Z");

const facts: RequestFacts = {
  route: "chat",
  isScan: false,
  apiKeyId: "key_1",
  team: null,
  account: "openai",
  calls: [{ account: "openai", status: 200, ms: 10.5 }],
  upstreamStatus: 200,
  cache: null,
  findingCounts: null,
  provider: "openai",
  model: "openai/gpt-5.1",
  servedModel: "gpt-5.1",
  errorCode: null,
  stream: true,
  end: "complete",
  clientGone: false,
  injection: { verdict: "allow", score: 0.02 },
  policy: null,
  cost: {
    costMicroUsd: microUsd(31n),
    buckets: { ...noUsage, uncachedInput: 812, cacheRead: 10, outputText: 96, reasoning: 4 },
    assumedPrice: null,
    serviceTier: null,
  },
  inputTokens: null,
  scanId: null,
  bodyMs: 0.125,
  queueMs: 0.03,
  scanMs: 0.5,
  holdMs: 0.01,
  firstByteMs: 3.14,
};

export type Event = Partial<Omit<RequestEvent, "facts">> & {
  readonly facts?: Partial<RequestFacts>;
  readonly atMs?: number;
};

/** The canonical line of a request; `number` makes its id. */
export function requestLine(number: number, { facts: more, atMs, ...event }: Event = {}): string {
  return canonicalRequest(
    {
      eventType: "request.completed",
      orgId: "org_1",
      requestId: `request-${number}`,
      httpStatus: 200,
      costStatus: "calculated",
      inputSha256: null,
      tags: null,
      totalMs: 12.346,
      ...event,
      facts: { ...facts, ...more },
    },
    new Date(atMs ?? start + number * 1_000).toISOString(),
  );
}

export function debitLine(number: number, orgId = "org_1"): string {
  return canonicalEvent(
    {
      eventType: "payg.debit.applied",
      message: "The exact cost was debited.",
      orgId,
      requestId: `request-${number}`,
      data: { costUsd: "0.000031", balanceAfterUsd: "9.000000" },
    },
    new Date(start + number * 1_000).toISOString(),
  );
}
