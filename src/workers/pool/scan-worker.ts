import { workerData } from "node:worker_threads";
import { collectNowAndThen } from "../../runtime/collect-garbage.ts";
import { rememberedTextsMax } from "../../contract/limits.ts";
import { ModelDetector } from "../../detectors/injection/model-detector.ts";
import { readModel } from "../../detectors/injection/model-file.ts";
import { loadQuietModel } from "../../detectors/injection/quiet/quiet-model.ts";
import { QuietScorer } from "../../detectors/injection/quiet/quiet-scorer.ts";
import type { LaneEnd, ScanWorkerData } from "./scan-task.ts";
import { entityScans } from "../report/entity-scan.ts";
import { serveLane } from "./serve-lane.ts";
import { Scanner } from "../detect/scanner.ts";
import { TextMemory } from "../detect/text-memory.ts";

const { cacheSecret, injectionModel } = workerData as ScanWorkerData;
export const scanner = new Scanner(
  new ModelDetector(readModel(injectionModel)),
  new TextMemory(cacheSecret, rememberedTextsMax),
  entityScans(),
  new QuietScorer(loadQuietModel()),
);
collectNowAndThen();

/** The code of the pool's threads. */
export function serve(lane: LaneEnd): Promise<never> {
  return serveLane(scanner, lane);
}
