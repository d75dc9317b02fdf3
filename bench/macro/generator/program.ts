// The load generator, in a process of its own. After `fork` it runs one task after another and
// reports the cost of each.
import { closedLoop, openLoop } from "./json-loads.ts";
import { oneByOne } from "./one-by-one.ts";
import { readStreams } from "./event-streams.ts";
import { dropStreams, holdIdle, releaseIdle, resumeStreams, stallStreams } from "./held.ts";
import { inSequence } from "./once.ts";
import { upload } from "./upload.ts";

const tasks = {
  closedLoop,
  openLoop,
  oneByOne,
  inSequence,
  readStreams,
  upload,
  holdIdle,
  releaseIdle,
  stallStreams,
  resumeStreams,
  dropStreams,
};

export type Tasks = typeof tasks;

/** A task by its name, in the form of the message. */
export interface TaskMessage {
  readonly name: keyof Tasks;
  readonly args: readonly unknown[];
}

export type ReplyMessage =
  | { readonly ok: true; readonly value: unknown; readonly cpuMs: number; readonly wallMs: number }
  | { readonly ok: false; readonly error: string };

async function run({ name, args }: TaskMessage): Promise<ReplyMessage> {
  const begunMs = performance.now();
  const begunCpu = process.cpuUsage();
  try {
    // `Tasks` is also the sender's type.
    const task = tasks[name] as (...given: readonly unknown[]) => Promise<unknown>;
    const value = await task(...args);
    const { user, system } = process.cpuUsage(begunCpu);
    return { ok: true, value, cpuMs: (user + system) / 1_000, wallMs: performance.now() - begunMs };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

process.on("message", (message: TaskMessage) => {
  void run(message).then((reply) => process.send?.(reply));
});
process.on("disconnect", () => process.exit());
