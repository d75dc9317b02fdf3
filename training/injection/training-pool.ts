import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Network } from "../../src/detectors/injection/word-network.ts";
import { LinearModel } from "./linear-model.ts";
import type { NetworkWindows, NetworkWords } from "./network-trainer.ts";
import type { Row } from "./rows.ts";
import type { TrainingOptions } from "./trainer.ts";
import type { WindowColumns } from "./windows.ts";

export interface LinearJob {
  readonly kind: "linear";
  readonly rows: readonly Row[];
  readonly options: TrainingOptions;
}

/** Windows of rows that the linear model has not seen. */
export interface WindowsJob {
  readonly kind: "windows";
  readonly rows: readonly Row[];
  readonly linear: Pick<LinearModel, "weights" | "biases">;
  readonly seed: number;
}

export interface NetworkJob {
  readonly kind: "network";
  readonly sets: readonly NetworkWindows[];
  readonly words: NetworkWords;
  readonly seed: number;
}

export type TrainingJob = LinearJob | WindowsJob | NetworkJob;

/** What a thread answers to a job of each kind. */
export interface TrainingAnswers {
  readonly linear: Pick<LinearModel, "weights" | "biases">;
  readonly windows: WindowColumns;
  readonly network: Omit<Network, "keys" | "rows">;
}

export async function trainLinear(
  jobs: readonly Omit<LinearJob, "kind">[],
): Promise<LinearModel[]> {
  const found = await runAll(jobs.map((job) => ({ kind: "linear" as const, ...job })));
  return found.map(({ weights, biases }) => new LinearModel(weights, biases));
}

export function collectAll(jobs: readonly Omit<WindowsJob, "kind">[]): Promise<WindowColumns[]> {
  return runAll(jobs.map((job) => ({ kind: "windows" as const, ...job })));
}

export function trainNetworks(
  jobs: readonly Omit<NetworkJob, "kind">[],
): Promise<TrainingAnswers["network"][]> {
  return runAll(jobs.map((job) => ({ kind: "network" as const, ...job })));
}

/** Runs all jobs, a few at a time; the results stand in the order of the jobs. */
async function runAll<J extends TrainingJob>(
  jobs: readonly J[],
): Promise<TrainingAnswers[J["kind"]][]> {
  const done: TrainingAnswers[J["kind"]][] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let job = next++; job < jobs.length; job = next++) {
      const found = jobs[job];
      if (found !== undefined) done[job] = await runInThread(found);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return done;
}

function runInThread<J extends TrainingJob>(workerData: J): Promise<TrainingAnswers[J["kind"]]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("training-thread.ts", import.meta.url), { workerData });
    thread.once("message", resolve);
    thread.once("error", reject);
  });
}
