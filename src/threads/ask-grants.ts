import { grantAnswerMsMax, grantWaitersMax } from "../contract/limits.ts";
import type { MoneyAnswer, MoneyGrants } from "../store/ledger/spending.ts";
import type { FromThread, GrantAnswer, GrantQuestion } from "./messages.ts";

const away: GrantAnswer = { outcome: "away" };

/**
 * Asks the main thread, on behalf of a proxy thread, for more of what several gateways share. A main thread that does
 * not answer is waited for no longer than `grantAnswerMsMax`; then the store counts as away.
 */
export class AskGrants implements MoneyGrants {
  readonly #post: (message: FromThread) => void;
  readonly #waiting = new Map<number, (answer: GrantAnswer) => void>();
  #last = 0;

  constructor(post: (message: FromThread) => void) {
    this.#post = post;
  }

  money(orgId: string, estimate: bigint): Promise<MoneyAnswer> {
    return this.#ask({ pool: "money", orgId, estimate });
  }

  /** The main thread has answered. */
  answered(number: number, answer: GrantAnswer): void {
    this.#waiting.get(number)?.(answer);
  }

  #ask(question: GrantQuestion): Promise<GrantAnswer> {
    if (this.#waiting.size >= grantWaitersMax) return Promise.resolve(away);
    const number = ++this.#last;
    return new Promise((resolve) => {
      const over = (answer: GrantAnswer): void => {
        clearTimeout(late);
        this.#waiting.delete(number);
        resolve(answer);
      };
      const late = setTimeout(() => over(away), grantAnswerMsMax).unref();
      this.#waiting.set(number, over);
      this.#post({ kind: "grant", number, question });
    });
  }
}
