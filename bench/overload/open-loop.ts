import { slowMs, windowMs, type Latencies, type Phase, type PhaseResult } from "./phase.ts";
import type { Connections } from "./connections.ts";

/** How long to wait for outstanding answers after the end of a phase. */
const straggleMsMax = 5_000;

/**
 * Sends requests when they are due, independent of other answers, like many independent clients.
 * Latencies count from when a request was due, so a stall shows in all requests that it delays.
 */
export async function runPhase(phase: Phase, connections: Connections): Promise<PhaseResult> {
  const { requestsPerSecond, seconds, warmUpSeconds } = phase;
  const total = Math.round(requestsPerSecond * seconds);
  const warmUp = Math.round(requestsPerSecond * warmUpSeconds);
  const served: number[] = [];
  const refused: number[] = [];
  const late: number[] = [];
  const windows = Array.from({ length: Math.ceil((seconds * 1_000) / windowMs) }, () => ({
    served: 0,
    slow: 0,
    refused: 0,
  }));
  const counts = { withRetryAfter: 0, failed: 0, open: 0 };
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const send = (index: number): void => {
    const dueMs = (index * 1_000) / requestsPerSecond;
    counts.open += 1;
    if (index >= warmUp) late.push(performance.now() - begun - dueMs);
    connections.send((status, retryAfter) => {
      counts.open -= 1;
      const ms = performance.now() - begun - dueMs;
      const isRefused = status === 429 || status === 503;
      const window = windows[Math.floor(dueMs / windowMs)];
      if (window !== undefined) {
        if (isRefused) window.refused += 1;
        else {
          window.served += 1;
          if (ms > slowMs) window.slow += 1;
        }
      }
      if (index < warmUp) return;
      if (isRefused) {
        refused.push(ms);
        if (retryAfter) counts.withRetryAfter += 1;
      } else if (status === 200) served.push(ms);
      else counts.failed += 1;
    });
  };
  await new Promise<void>((resolve) => {
    let next = 0;
    const timer = setInterval(() => {
      const due = ((performance.now() - begun) * requestsPerSecond) / 1_000;
      while (next < total && next <= due) send(next++);
      if (next < total) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  const elapsedMs = performance.now() - begun;
  const used = process.cpuUsage(cpu);
  for (let ms = 0; ms < straggleMsMax && counts.open > 0; ms += 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {
    due: total - warmUp,
    served: latencies(served),
    refused: latencies(refused),
    withRetryAfter: counts.withRetryAfter,
    failed: counts.failed + counts.open,
    windows,
    lateP99: latencies(late).p99,
    cpuShare: (used.user + used.system) / 1_000 / elapsedMs,
  };
}

function latencies(ms: number[]): Latencies {
  ms.sort((a, b) => a - b);
  const at = (share: number): number =>
    ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0;
  return { count: ms.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
