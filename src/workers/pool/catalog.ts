import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { workerHeapMegabytesMax, workerYoungMegabytesMax } from "../../contract/limits.ts";

const threadUrl = new URL(`./catalog-thread${extname(import.meta.url)}`, import.meta.url);

let catalog: Promise<string> | null = null;

/**
 * The list of `GET /v1/security/detectors` as JSON, made once. The detectors take 0.2 s of CPU time to
 * load, so a thread loads them and then ends. Rejects if that fails; the next call tries again.
 */
export function catalogJson(): Promise<string> {
  return (catalog ??= load().catch((error: unknown) => {
    catalog = null;
    throw error;
  }));
}

function load(): Promise<string> {
  const worker = new Worker(threadUrl, {
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: workerHeapMegabytesMax,
      maxYoungGenerationSizeMb: workerYoungMegabytesMax,
    },
  });
  return new Promise((resolve, reject) => {
    worker.once("message", (json: string) => resolve(json));
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the thread ended without the list of detectors")));
  });
}
