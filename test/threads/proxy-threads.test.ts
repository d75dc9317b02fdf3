import { EventEmitter } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { proxyThreadAnswerMsMax, proxyThreadBeatMs } from "../../src/contract/limits.ts";
import { accept } from "../../src/contract/outcome.ts";
import { Journal } from "../../src/store/journal/journal.ts";
import { ProxyThreads } from "../../src/threads/proxy-threads.ts";
import type { ToThread } from "../../src/threads/messages.ts";
import type { ProxyThread } from "../../src/threads/proxy-worker.ts";
import { SharedFlags } from "../../src/threads/shared-flags.ts";

afterEach(() => vi.useRealTimers());

/** A thread that answers until it stands still. */
class Thread extends EventEmitter implements ProxyThread {
  standsStill = false;

  postMessage(message: ToThread): void {
    if (this.standsStill || message.kind !== "question") return;
    const { number } = message;
    queueMicrotask(() => this.emit("message", { kind: "answer", number, answer: null }));
  }

  terminate(): Promise<void> {
    return Promise.resolve();
  }
}

test("a thread that stands still is noticed, though nobody asks it anything", async () => {
  vi.useFakeTimers();
  const written = () => Promise.resolve(accept(null));
  const writer = { write: written, apply: written, close: () => Promise.resolve() };
  const died: string[] = [];
  const threads = new ProxyThreads({
    words: new SharedFlags(1),
    books: {
      takeOver: () => undefined,
      journal: new Journal({ writer, lastBatch: 0, onFlushFailed: () => undefined }),
    },
    contents: { keepPacked: () => undefined },
    keys: { noteUses: () => undefined },
    log: () => undefined,
    serve: () => Promise.resolve(),
    caughtUp: () => Promise.resolve(),
    died: ({ message }) => died.push(message),
  });
  const thread = new Thread();
  const started = threads.start([thread]);
  thread.emit("message", { kind: "ready", listener: 1 });
  await started;
  await vi.advanceTimersByTimeAsync(10 * proxyThreadAnswerMsMax);
  expect(died).toEqual([]);
  thread.standsStill = true;
  await vi.advanceTimersByTimeAsync(proxyThreadBeatMs + proxyThreadAnswerMsMax);
  expect(died).toEqual(["a proxy thread does not answer"]);
});
