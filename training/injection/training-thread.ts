import { parentPort, workerData } from "node:worker_threads";
import type { TrainingJob } from "./training-pool.ts";
import { train } from "./trainer.ts";

// The pool that starts this thread hands it a job.
const { rows, options } = workerData as TrainingJob;
const { weights, biases } = train(rows, options);
parentPort?.postMessage({ weights, biases }, [weights.buffer]);
