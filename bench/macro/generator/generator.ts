import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Children } from "../children.ts";
import type { ReplyMessage, TaskMessage, Tasks } from "./program.ts";

/** The result of a task, and its cost for the generator. */
export interface Ran<Value> {
  readonly value: Value;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** The load generator's process, as the bench holds it; one task at a time. */
export class Generator {
  readonly #child: ChildProcess;

  constructor(children: Children) {
    this.#child = children.fork(join(import.meta.dirname, "program.ts"));
  }

  /** Rejects if the task could not run, or if its process died. */
  run<Name extends keyof Tasks>(
    name: Name,
    ...args: Parameters<Tasks[Name]>
  ): Promise<Ran<Awaited<ReturnType<Tasks[Name]>>>> {
    return new Promise((resolve, reject) => {
      const died = (): void => reject(new Error("the load generator died"));
      this.#child.once("exit", died);
      this.#child.once("message", (reply: ReplyMessage) => {
        this.#child.off("exit", died);
        if (!reply.ok) return reject(new Error(reply.error));
        // `program.ts` runs the task of that name.
        resolve({ ...reply, value: reply.value as Awaited<ReturnType<Tasks[Name]>> });
      });
      this.#child.send({ name, args } satisfies TaskMessage);
    });
  }
}
