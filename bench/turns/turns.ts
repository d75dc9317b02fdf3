import type { ChildProcess } from "node:child_process";

/** The most CPU time that a turn of the loop may take. */
export const turnMsMax = 5;

/** One turn of the loop: from one wait for events to the next. */
export interface Turn {
  /** CPU time of the thread. */
  readonly cpuMs: number;
  /**
   * Elapsed time. The difference to `cpuMs` is the time in which the thread waited for another thread or
   * a processor.
   */
  readonly activeMs: number;
}

/** The turns since the last question. */
export interface TurnsView {
  readonly longestByCpu: Turn;
  readonly longestByActive: Turn;
  readonly turns: number;
  /** Turns over `turnMsMax`. */
  readonly over: number;
}

/** Node's option that loads the probe into a program; its starter gives it a channel for messages. */
export const probeFlags: readonly string[] = [
  "--import",
  new URL("./probe.ts", import.meta.url).href,
];

/** Asks a gateway that was started with the probe. The counts of turns begin again after this. */
export function takeTurns(child: ChildProcess): Promise<TurnsView> {
  return new Promise((resolve, reject) => {
    // The probe sends nothing else.
    child.once("message", (view) => resolve(view as TurnsView));
    child.send("turns", (error) => {
      if (error !== null) reject(error);
    });
  });
}
