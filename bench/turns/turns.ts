import type { ChildProcess } from "node:child_process";

/** What a turn of the loop may take of its thread's CPU time. */
export const turnMsMax = 5;

/** One turn of the loop: from one wait for events to the next. */
export interface Turn {
  /** Of the thread. */
  readonly cpuMs: number;
  /** By the clock; what it is more than `cpuMs` the thread has waited, for another one or a processor. */
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

/** Asks a gateway that was started with the probe; the turns are counted anew from here on. */
export function takeTurns(child: ChildProcess): Promise<TurnsView> {
  return new Promise((resolve, reject) => {
    // The probe sends nothing else.
    child.once("message", (view) => resolve(view as TurnsView));
    child.send("turns", (error) => {
      if (error !== null) reject(error);
    });
  });
}
