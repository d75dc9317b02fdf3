// Loaded into a gateway before its program (`node --import`): measures every turn of its main thread's
// loop, and answers a message from its starter with the longest of them. Linux only.
import { performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import { turnMsMax, type Turn, type TurnsView } from "./turns.ts";

const noTurn: Turn = { cpuMs: 0, activeMs: 0 };
let longestByCpu = noTurn;
let longestByActive = noTurn;
let turns = 0;
let over = 0;

/**
 * The CPU time of this thread. The kernel updates a running thread's time only at its ticks of 4 ms, but
 * a query for the whole process brings it up to date.
 */
function cpuUs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

let cpuBeforeUs = cpuUs();
let activeBeforeMs = performance.eventLoopUtilization().active;

/** Runs once in each turn, after all callbacks of the turn's events. */
function look(): void {
  const [cpu, { active }] = [cpuUs(), performance.eventLoopUtilization()];
  const turn = { cpuMs: (cpu - cpuBeforeUs) / 1_000, activeMs: active - activeBeforeMs };
  [cpuBeforeUs, activeBeforeMs] = [cpu, active];
  turns += 1;
  if (turn.cpuMs > turnMsMax) over += 1;
  if (turn.cpuMs > longestByCpu.cpuMs) longestByCpu = turn;
  if (turn.activeMs > longestByActive.activeMs) longestByActive = turn;
  lookNextTurn();
}

/** An immediate without a reference does not keep the loop from waiting for events. */
function lookNextTurn(): void {
  setImmediate(look).unref();
}

function answer(): void {
  const view: TurnsView = { longestByCpu, longestByActive, turns, over };
  process.send?.(view);
  [longestByCpu, longestByActive, turns, over] = [noTurn, noTurn, 0, 0];
}

if (isMainThread) {
  process.on("message", answer);
  process.channel?.unref();
  lookNextTurn();
}
