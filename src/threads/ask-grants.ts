import { grantAnswerMsMax, grantWaitersMax } from "../contract/limits.ts";
import type { MoneyAnswer, MoneyGrants } from "../store/ledger/spending.ts";
import type { LimitAnswer, LimitGrants, RateTable } from "../store/windows/limit-grants.ts";
import type { UsageCap } from "../store/windows/usage-windows.ts";
import type { FromThread, GrantAnswer, GrantQuestion } from "./messages.ts";

const away = { outcome: "away" } as const;

/**
 * Asks the main thread, on behalf of a proxy thread, for more of what several gateways share. A main thread that does
 * not answer is waited for no longer than `grantAnswerMsMax`; then the store counts as away.
 */
export class AskGrants implements MoneyGrants, LimitGrants {
  readonly #post: (message: FromThread) => void;
  readonly #waiting = new Map<number, (answer: GrantAnswer) => void>();
  #last = 0;

  constructor(post: (message: FromThread) => void) {
    this.#post = post;
  }

  money(orgId: string, estimate: bigint): Promise<MoneyAnswer> {
    return this.#ask<MoneyAnswer>({ pool: "money", orgId, estimate });
  }

  rate(table: RateTable, id: string, limit: number, short: number): Promise<LimitAnswer> {
    return this.#ask<LimitAnswer>({ pool: "rate", table, id, limit, short });
  }

  cap({ id, type, window, threshold, hard }: UsageCap, short: bigint): Promise<LimitAnswer> {
    return this.#ask<LimitAnswer>({
      pool: "cap",
      cap: { id, type, window, threshold, hard },
      short,
    });
  }

  /** The main thread has answered. */
  answered(number: number, answer: GrantAnswer): void {
    this.#waiting.get(number)?.(answer);
  }

  /** `Answer`: the kind that answers such a question. */
  #ask<Answer extends GrantAnswer>(question: GrantQuestion): Promise<Answer | typeof away> {
    if (this.#waiting.size >= grantWaitersMax) return Promise.resolve(away);
    const number = ++this.#last;
    return new Promise((resolve) => {
      const over = (answer: GrantAnswer): void => {
        clearTimeout(late);
        this.#waiting.delete(number);
        resolve(answer as Answer);
      };
      const late = setTimeout(() => over(away), grantAnswerMsMax).unref();
      this.#waiting.set(number, over);
      this.#post({ kind: "grant", number, question });
    });
  }
}
