import { threadsClock, type Clock } from "../../runtime/clock.ts";

/** The stored state of a timeline. */
export interface TimelineMark {
  readonly wallMs: number;
  readonly timelineMs: number;
}

/**
 * The time of windows: milliseconds that begin near the wall clock's and then follow the monotonic
 * clock, so that a wall clock that is set back or forward while the process runs changes nothing. It
 * never goes back, not even over a restart. During a restart it advances by the time that has passed
 * on the wall clock. Its origin is in shared memory: all threads read the same time.
 */
export class WindowTimeline {
  readonly #origin: Float64Array;
  readonly #clock: Clock;

  /** `origin`: one word, 0 while the timeline was not started. */
  constructor(origin: Float64Array, clock: Clock = threadsClock) {
    this.#origin = origin;
    this.#clock = clock;
  }

  /** The thread that made the shared memory calls this once. */
  start(mark?: TimelineMark): void {
    const wallMs = this.#clock.wallMs();
    const nowMs = mark === undefined ? wallMs : mark.timelineMs + Math.max(0, wallMs - mark.wallMs);
    this.#origin[0] = nowMs - this.#clock.monotonicMs();
  }

  nowMs(): number {
    return (this.#origin[0] ?? 0) + this.#clock.monotonicMs();
  }

  mark(): TimelineMark {
    return { wallMs: this.#clock.wallMs(), timelineMs: this.nowMs() };
  }

  /** The wall clock, for values that clients see. */
  wallMs(): number {
    return this.#clock.wallMs();
  }
}
