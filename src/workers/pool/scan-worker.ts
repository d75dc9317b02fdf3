import { workerData } from "node:worker_threads";
import { collectNowAndThen } from "../../runtime/collect-garbage.ts";
import { rememberedTextsMax } from "../../contract/limits.ts";
import { ModelDetector } from "../../detectors/injection/model-detector.ts";
import { readModel } from "../../detectors/injection/model-file.ts";
import { loadQuietModel } from "../../detectors/injection/quiet/quiet-model.ts";
import { QuietScorer } from "../../detectors/injection/quiet/quiet-scorer.ts";
import type { ScanTask, ScanTaskResult, ScanWorkerData } from "./scan-task.ts";
import { entityScans } from "../report/entity-scan.ts";
import { framesOf } from "./error-frames.ts";
import { releaseSharedMemory } from "./shared-memory.ts";
import { Scanner } from "../detect/scanner.ts";
import { TextMemory } from "../detect/text-memory.ts";

const { cacheSecret, injectionModel } = workerData as ScanWorkerData;
const scanner = new Scanner(
  new ModelDetector(readModel(injectionModel)),
  new TextMemory(cacheSecret, rememberedTextsMax),
  entityScans(),
  new QuietScorer(loadQuietModel()),
);
collectNowAndThen();

/** The code of the pool's threads. A scan that throws does not fail the others of its task. */
export async function scanBatch({ bytes, jobs }: ScanTask): Promise<ScanTaskResult> {
  const results = [];
  for (const job of jobs) {
    try {
      results.push(await scanner.scan(job, bytes));
    } catch (error) {
      results.push({ failure: framesOf(error) });
    }
  }
  releaseSharedMemory(bytes);
  return results;
}
