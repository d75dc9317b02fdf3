import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { workerHeapMegabytesMax, workerYoungMegabytesMax } from "../../../contract/limits.ts";
import { ReadModel, type ReadModelOptions } from "../../read-model/read-model.ts";
import type { Store } from "../store.ts";
import type { RecordsThreadData } from "./records-thread.ts";

/** The read model of a store. Close it before the store. */
export function openReadModel(
  { databasePath }: Pick<Store, "databasePath">,
  options: Omit<ReadModelOptions, "startThread">,
): ReadModel {
  const workerData: RecordsThreadData = { databasePath };
  return new ReadModel({
    ...options,
    // It needs no environment variables; they hold the providers' credentials.
    startThread: () =>
      new Worker(threadUrl, {
        workerData,
        env: {},
        resourceLimits: {
          maxOldGenerationSizeMb: workerHeapMegabytesMax,
          maxYoungGenerationSizeMb: workerYoungMegabytesMax,
        },
      }),
  });
}

/** Next to this file, which is TypeScript in `src` and JavaScript in `dist`. */
const threadUrl = new URL(`./records-thread${extname(import.meta.url)}`, import.meta.url);
