import { setTimeout as sleep } from "node:timers/promises";
import type { Children } from "./children.ts";
import type { FigureBook } from "./figure-book.ts";
import type { Generator } from "./generator/generator.ts";
import { cpuMs } from "./process-tree.ts";
import type { Provider } from "./provider/provider.ts";
import type { Subject } from "./subjects/subject.ts";
import type { Weir } from "./subjects/weir.ts";

/** The amount of measuring. */
export interface Scale {
  readonly rounds: number;
  /** The most rounds of loads that take seconds. */
  readonly longRounds: number;
  /** The duration of one small-JSON measurement. */
  readonly jsonMs: number;
  /** The limits of one latency measurement. It ends when it reaches one of the two. */
  readonly latencyRequests: number;
  readonly latencyMs: number;
  readonly pacedStreams: number;
  readonly pacedEvents: number;
  readonly burstStreams: number;
  readonly burstEvents: number;
  readonly openStreams: number;
  /** The time between the events of such a stream, which has five. */
  readonly openStreamsEveryMs: number;
  /** How long resident memory must not have fallen before it counts as the memory at rest. */
  readonly settledMs: number;
  readonly uploadBytes: Readonly<Record<"media" | "prose", number>>;
  readonly conversations: number;
  readonly idleConnections: number;
  readonly slowReaders: number;
  readonly slowReaderEvents: number;
  readonly steadyMs: number;
}

export const fullScale: Scale = {
  rounds: 5,
  longRounds: 2,
  jsonMs: 400,
  latencyRequests: 2_000,
  latencyMs: 1_000,
  pacedStreams: 100,
  pacedEvents: 150,
  burstStreams: 16,
  burstEvents: 1_500,
  openStreams: 1_000,
  openStreamsEveryMs: 2_500,
  settledMs: 12_000,
  uploadBytes: { media: 100_000_000, prose: 20_000_000 },
  conversations: 10,
  idleConnections: 500,
  slowReaders: 4,
  slowReaderEvents: 80_000,
  steadyMs: 1_000,
};

export const quickScale: Scale = {
  rounds: 1,
  longRounds: 1,
  jsonMs: 150,
  latencyRequests: 10,
  latencyMs: 300,
  pacedStreams: 5,
  pacedEvents: 60,
  burstStreams: 2,
  burstEvents: 100,
  openStreams: 20,
  openStreamsEveryMs: 800,
  settledMs: 300,
  uploadBytes: { media: 3_000_000, prose: 300_000 },
  conversations: 1,
  idleConnections: 10,
  slowReaders: 1,
  slowReaderEvents: 20_000,
  steadyMs: 150,
};

/** Everything that is running while the loads run. */
export interface Bench {
  readonly children: Children;
  readonly provider: Provider;
  readonly generator: Generator;
  /** The direct way first, then the installed peers, then Weir. */
  readonly subjects: readonly Subject[];
  /** The build under test first. */
  readonly weirs: readonly Weir[];
  readonly book: FigureBook;
  readonly scale: Scale;
  readonly withWrk: boolean;
  /** One more process of the build under test. */
  readonly startWeir: () => Promise<Weir>;
}

export interface Measured<Value> {
  readonly value: Value;
  /**
   * CPU time of the subject's processes, including their work soon after the load; null if there are
   * none.
   */
  readonly cpuMs: number | null;
  /** The part of it that the scan threads used. */
  readonly scanCpuMs: number;
  /** How busy the provider was, as a share of one core. */
  readonly providerShare: number;
  /** Requests that the provider answered. */
  readonly answered: number;
  /** Events that it sent. */
  readonly events: number;
}

/** Time for records, hashes and other work that is delayed until no request waits. */
const settleMs = 120;
/** If nothing was answered for this long, the requests that a load left under way are over. */
const quietMs = 50;
const quietMsMax = 5_000;

/** Runs a load and returns its cost for the subject. */
export async function measured<Value>(
  { provider }: Pick<Bench, "provider">,
  { tree, scanThreads }: Subject,
  load: () => Promise<Value>,
  settle = settleMs,
): Promise<Measured<Value>> {
  const countsBefore = await provider.counts();
  const before = tree?.threads();
  const begunMs = performance.now();
  const value = await load();
  const wallMs = performance.now() - begunMs;
  if (settle >= settleMs) await quiet(provider);
  await sleep(settle);
  const after = tree?.threads();
  const counts = await provider.counts();
  const both = before !== undefined && after !== undefined;
  return {
    value,
    cpuMs: both ? cpuMs(before, after) : null,
    scanCpuMs: both ? cpuMs(before, after, scanThreads) : 0,
    providerShare: (counts.cpuMs - countsBefore.cpuMs) / wallMs,
    answered: counts.answered - countsBefore.answered,
    events: counts.events - countsBefore.events,
  };
}

/** Resolves when the provider has nothing more to answer. */
async function quiet(provider: Provider): Promise<void> {
  const deadline = performance.now() + quietMsMax;
  for (let last = -1; performance.now() < deadline;) {
    const { answered, aborted } = await provider.counts();
    if (answered + aborted === last) return;
    last = answered + aborted;
    await sleep(quietMs);
  }
}

/**
 * The items in order, in odd rounds in reverse order, so that a drift affects all of them equally.
 */
export function inOrder<Item>(items: readonly Item[], round: number): readonly Item[] {
  return round % 2 === 0 ? items : items.toReversed();
}
