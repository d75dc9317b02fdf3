import { parentPort, workerData } from "node:worker_threads";
import { LinearModel } from "./linear-model.ts";
import { trainNetwork } from "./network-trainer.ts";
import type { TrainingAnswers, TrainingJob } from "./training-pool.ts";
import { train } from "./trainer.ts";
import { collectWindows } from "./windows.ts";

// The pool that starts this thread hands it a job.
parentPort?.postMessage(run(workerData as TrainingJob));

function run(job: TrainingJob): TrainingAnswers[TrainingJob["kind"]] {
  switch (job.kind) {
    case "linear": {
      const { weights, biases } = train(job.rows, job.options);
      return { weights, biases };
    }
    case "windows":
      return collectWindows(job.rows, linearOf(job.linear), job.seed);
    case "network":
      return trainNetwork(job.sets, job.words, job.seed);
  }
}

function linearOf({ weights, biases }: Pick<LinearModel, "weights" | "biases">): LinearModel {
  return new LinearModel(weights, biases);
}
