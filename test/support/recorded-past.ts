import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { microUsd } from "../../src/contract/money.ts";
import type { RequestEvent } from "../../src/contract/request-event.ts";
import { noUsage } from "../../src/contract/usage.ts";
import { abortableAndFlushed, openRoot } from "../../src/store/embedded/files/open-root.ts";
import { openJournalTables } from "../../src/store/embedded/journal/journal-tables.ts";
import { openStore } from "../../src/store/embedded/store.ts";
import { appendEvents } from "../../src/store/journal/batch.ts";
import { EventPacker } from "../../src/store/journal/event-packer.ts";
import { unpackLines } from "../../src/store/journal/packed-events.ts";

const eventsAtOnce = 20_000;

/**
 * A folder for `startProcess` whose gateway has recorded a request at each of these moments (Unix milliseconds,
 * ascending): a clock can't be turned back in a process of its own. They go the way of a request's event: packed,
 * unpacked, appended to the log.
 */
export async function recordedPast(moments: Iterable<number>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "weir-"));
  const dataDir = join(folder, "data");
  const opened = await openStore({ dataDir });
  if (!opened.ok) throw new Error(opened.fault);
  await opened.value.close();
  const root = openRoot(join(dataDir, "weir.mdb"));
  const tables = openJournalTables(root);
  const packer = new EventPacker();
  const append = (): void => {
    const lines = unpackLines([packer.take()]);
    root.transactionSync(() => appendEvents(tables, lines), abortableAndFlushed);
  };
  let packed = 0;
  for (const atMs of moments) {
    packer.request(eventOf(packed), atMs);
    packed += 1;
    if (packed % eventsAtOnce === 0) append();
  }
  if (packed % eventsAtOnce !== 0) append();
  await root.close();
  return folder;
}

function eventOf(i: number): RequestEvent {
  const buckets = { ...noUsage, uncachedInput: 10, outputText: 5 };
  return {
    eventType: "request.completed",
    orgId: "org_past",
    requestId: `past-${i}`,
    httpStatus: 200,
    costStatus: "calculated",
    inputSha256: null,
    tags: null,
    totalMs: 20 + (i % 50),
    facts: {
      ...{ route: "chat", isScan: false, apiKeyId: "key_past", team: null },
      ...{ provider: "openai", model: "openai/gpt-5.1", servedModel: "gpt-5.1", account: "openai" },
      ...{ calls: [{ account: "openai", status: 200, ms: 10 }], upstreamStatus: 200 },
      ...{ cache: null, findingCounts: null, stream: false, errorCode: null, end: "complete" },
      ...{ clientGone: false, injection: { verdict: "allow", score: 0.02 }, policy: null },
      cost: { costMicroUsd: microUsd(31n), buckets, assumedPrice: null, serviceTier: null },
      ...{ inputTokens: null, scanId: null, bodyMs: 0.1, queueMs: 0, scanMs: 0.5 },
      ...{ holdMs: 0.01, firstByteMs: 12 },
    },
  };
}
