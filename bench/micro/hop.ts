import { randomBytes } from "node:crypto";
import { rememberedTextsMax } from "../../src/contract/limits.ts";
import { loadModelFile } from "../../src/detectors/injection/load-model.ts";
import { ModelDetector } from "../../src/detectors/injection/model-detector.ts";
import { loadQuietModel } from "../../src/detectors/injection/quiet/quiet-model.ts";
import { QuietScorer } from "../../src/detectors/injection/quiet/quiet-scorer.ts";
import { readModel } from "../../src/detectors/injection/model-file.ts";
import { ScanPool } from "../../src/workers/pool/pool.ts";
import { entityScans } from "../../src/workers/report/entity-scan.ts";
import type { ProviderRequestJob } from "../../src/workers/pool/scan-job.ts";
import { packTask } from "../../src/workers/pool/scan-task.ts";
import { Scanner } from "../../src/workers/detect/scanner.ts";
import { TextMemory } from "../../src/workers/detect/text-memory.ts";
import { accepted } from "./accepted.ts";
import type { OpenSuite, Suite } from "./suite.ts";
import { chatBody } from "./texts.ts";
import { answerTime, cpuTime, time } from "./timing.ts";

/**
 * A scan's way to a worker and back. The body's verdict is remembered, so nearly all of the time is
 * the hop. The same scan in this thread is measured too.
 */
export const hopSuite: Suite = { id: "hop", group: "A scan in a worker", open };

const inFlight = 64;

async function open(): Promise<OpenSuite> {
  const job: ProviderRequestJob = {
    kind: "provider_request",
    format: "openai",
    bytes: Uint8Array.from(chatBody(1_024)),
    sensitivity: "balanced",
    orgId: "org_bench",
  };
  const pool = new ScanPool({ threads: 1 });
  await pool.ready();
  const hop = async (): Promise<void> => void accepted(await pool.scan(job));
  const many = async (): Promise<void> => {
    await Promise.all(Array.from({ length: inFlight }, hop));
  };

  const scanner = new Scanner(
    new ModelDetector(readModel(loadModelFile())),
    new TextMemory(randomBytes(32), rememberedTextsMax),
    entityScans(),
    new QuietScorer(loadQuietModel()),
  );
  const { bytes, jobs } = packTask([job]);
  const [packed] = jobs;
  if (packed === undefined) throw new Error("a task without its job");
  return {
    pieces: [
      time("here", { label: "The scan itself, in this thread" }, () => scanner.scan(packed, bytes)),
      answerTime("1/wait", { label: "One scan in flight, until it is answered" }, hop),
      cpuTime("1", { label: "One scan in flight, all threads" }, hop),
      cpuTime("64", { label: "64 scans in flight, all threads", per: inFlight }, many),
    ],
    close: () => pool.close(),
  };
}
