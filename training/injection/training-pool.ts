import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { LinearModel } from "./linear-model.ts";
import type { Row } from "./rows.ts";
import type { TrainingOptions } from "./trainer.ts";

export interface TrainingJob {
  readonly rows: readonly Row[];
  readonly options: TrainingOptions;
}

/** Trains all models, a few at a time; the results stand in the order of the jobs. */
export async function trainAll(jobs: readonly TrainingJob[]): Promise<LinearModel[]> {
  const trained: LinearModel[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let job = next++; job < jobs.length; job = next++) {
      const found = jobs[job];
      if (found !== undefined) trained[job] = await trainInThread(found);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return trained;
}

function trainInThread(workerData: TrainingJob): Promise<LinearModel> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("training-thread.ts", import.meta.url), { workerData });
    thread.once("message", ({ weights, biases }: Pick<LinearModel, "weights" | "biases">) => {
      resolve(new LinearModel(weights, biases));
    });
    thread.once("error", reject);
  });
}
