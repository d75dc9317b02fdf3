import { grantScarceMs, grantWaitersMax } from "../../contract/limits.ts";
import type { LimitAnswer } from "../windows/limit-grants.ts";

/** Asks the store for `need` at least, and up to `wish` if so much is free. Rejects if it can't be reached. */
export type AskStore = (need: bigint, wish: bigint) => Promise<LimitAnswer>;

export interface GrantPoolOptions {
  readonly nowMs: () => number;
  /** How long others have for returning something before each further question. */
  readonly waitsMs: readonly number[];
  /** Resolves when so much time has passed. */
  readonly wait: (ms: number) => Promise<unknown>;
}

interface Waiting {
  readonly need: bigint;
  readonly resolve: (answer: LimitAnswer) => void;
}

/**
 * The requests of this gateway that wait for more of one limit. One question is asked for all that wait, and the next one
 * when it was answered. If nothing is free, other gateways are asked to return what they don't use, so it tries
 * again. After that, requests are refused at once for `grantScarceMs`, so that a caller at its limit does not
 * burden the store.
 */
export class GrantPool {
  #waiting: Waiting[] = [];
  #isAsking = false;
  /** Of who came last, who knows the limit of now: those before may have come under another one. */
  #askStore: AskStore = () => Promise.resolve(away);
  #scarce: {
    readonly need: bigint;
    readonly untilMs: number;
    readonly answer: LimitAnswer;
  } | null = null;

  readonly #options: GrantPoolOptions;

  constructor(options: GrantPoolOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return !this.#isAsking;
  }

  /** From now on the store is asked again, because the limit may be another one. */
  forgetScarce(): void {
    this.#scarce = null;
  }

  /** Never rejects. */
  wait(need: bigint, ask: AskStore): Promise<LimitAnswer> {
    const scarce = this.#scarce;
    if (scarce !== null && need >= scarce.need && this.#options.nowMs() < scarce.untilMs) {
      return Promise.resolve(scarce.answer);
    }
    if (this.#waiting.length >= grantWaitersMax) return Promise.resolve(away);
    return new Promise((resolve) => {
      this.#askStore = ask;
      this.#waiting.push({ need, resolve });
      if (!this.#isAsking) void this.#ask();
    });
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asking = this.#waiting.splice(0);
      const answer = await this.#answerTo(asking);
      for (const { resolve } of asking) resolve(answer);
    }
    this.#isAsking = false;
  }

  /** The smallest need decides whether anything is free; the sum of all is what could be used. */
  async #answerTo(asking: readonly Waiting[]): Promise<LimitAnswer> {
    const needs = asking.map(({ need }) => need);
    const need = needs.reduce((least, one) => (one < least ? one : least));
    const wish = needs.reduce((sum, one) => sum + one);
    try {
      let answer = await this.#askStore(need, wish);
      for (const waitMs of this.#options.waitsMs) {
        if (answer.outcome !== "scarce") return answer;
        await this.#options.wait(waitMs);
        answer = await this.#askStore(need, wish);
      }
      if (answer.outcome !== "scarce") return answer;
      this.#scarce = { need, untilMs: this.#options.nowMs() + grantScarceMs, answer };
      return answer;
    } catch {
      return away;
    }
  }
}

const away: LimitAnswer = { outcome: "away" };
