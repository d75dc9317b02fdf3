// Loaded into a gateway before its program (`node --import`, with `--expose-gc`): counts the work of
// its main thread, and answers the messages of its starter.
import { createHook } from "node:async_hooks";
import { Session } from "node:inspector";
import { isMainThread } from "node:worker_threads";
import type { CalledFunction, ProbeAnswer, ProbeQuestion } from "./way.ts";

let promises = 0;
let ticks = 0;

const hook = createHook({
  init(_id, type) {
    if (type === "PROMISE") promises += 1;
    else if (type === "Microtask" || type === "TickObject") ticks += 1;
  },
});

const session = new Session();
session.connect();

let isCovering = false;

/** Starts to count with the first question, whose answer is empty. */
function takeFunctions(answer: (functions: readonly CalledFunction[]) => void): void {
  if (!isCovering) {
    isCovering = true;
    session.post("Profiler.enable");
    session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false }, () =>
      answer([]),
    );
    return;
  }
  session.post("Profiler.takePreciseCoverage", (error, taken) => {
    if (error !== null) throw error;
    answer(
      taken.result.flatMap(({ url, functions }) =>
        functions.flatMap(({ ranges, functionName }) => {
          const calls = ranges[0]?.count ?? 0;
          // A module's own code has run once, when it was loaded.
          return calls === 0 || (functionName === "" && calls === 1) ? [] : [{ url, calls }];
        }),
      ),
    );
  });
}

function send(answer: ProbeAnswer): void {
  process.send?.(answer);
}

function answer(question: ProbeQuestion): void {
  switch (question) {
    case "code":
      takeFunctions((functions) => send({ about: "code", functions }));
      return;
    case "promises":
      hook.enable();
      send({ about: "promises", promises, ticks });
      [promises, ticks] = [0, 0];
      return;
    case "heap":
      hook.disable();
      // Answers with the used heap, and then collects garbage.
      send({ about: "heap", usedBytes: process.memoryUsage().heapUsed });
      globalThis.gc?.();
  }
}

if (isMainThread) {
  process.on("message", answer);
  process.channel?.unref();
}
