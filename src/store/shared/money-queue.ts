import { grantWaitersMax, grantWaitsMs } from "../../contract/limits.ts";
import {
  centsUp,
  microUsd,
  microUsdPerCent,
  zeroUsd,
  type MicroUsd,
} from "../../contract/money.ts";
import { balanceVerdict } from "../ledger/hold-refusals.ts";
import type { AccountBalance } from "../ledger/ledger.ts";
import type { MoneyAnswer, MoneyGrants } from "../ledger/spending.ts";
import type { SharedCalls } from "./calls.ts";
import type { OwnMoney } from "./own-money.ts";

export interface MoneyQueueOptions {
  readonly own: OwnMoney;
  readonly calls: Pick<SharedCalls, "grantMoney">;
  readonly onFailure: (error: unknown) => void;
}

interface Waiting {
  readonly estimate: MicroUsd;
  /** The estimate in whole cents, because refusals go by cents. */
  readonly whole: bigint;
  readonly resolve: (answer: MoneyAnswer) => void;
}

type Waiters = readonly Waiting[];

/**
 * The requests of this gateway that wait for money of organizations. One question an organization is under way at a time,
 * for all that wait; who comes meanwhile waits for the next one. If not enough is free, those that fit go on, other
 * gateways are asked to return what they don't use, and it tries again before it refuses.
 */
export class MoneyQueue implements MoneyGrants {
  readonly #options: MoneyQueueOptions;
  /** Organizations with a question under way, and who waits for the next one. */
  readonly #next = new Map<string, Waiting[]>();

  constructor(options: MoneyQueueOptions) {
    this.#options = options;
  }

  /** As `MoneyGrants`. Never rejects. */
  money(orgId: string, estimate: MicroUsd): Promise<MoneyAnswer> {
    const next = this.#next.get(orgId);
    if (next !== undefined && next.length >= grantWaitersMax) return Promise.resolve(away);
    return new Promise((resolve) => {
      const whole = BigInt(centsUp(estimate)) * microUsdPerCent;
      const waiting = { estimate, whole, resolve };
      if (next === undefined) void this.#serve(orgId, waiting);
      else next.push(waiting);
    });
  }

  async #serve(orgId: string, first: Waiting): Promise<void> {
    const next: Waiting[] = [];
    this.#next.set(orgId, next);
    let waiters: Waiters = [first];
    while (waiters.length > 0) {
      try {
        await this.#answer(orgId, waiters);
      } catch (error) {
        this.#options.onFailure(error);
        resolveAll(waiters, away);
      }
      waiters = next.splice(0);
    }
    this.#next.delete(orgId);
  }

  /** Rejects if the store can't be reached. */
  async #answer(orgId: string, waiters: Waiters): Promise<void> {
    let left = waiters;
    for (let tries = 0; ; tries += 1) {
      const asked = await this.#ask(orgId, left);
      if (asked.outcome !== "refused") return resolveAll(left, asked);
      const { fitting, others, room } = fittingIn(left, asked.account);
      if (fitting.length > 0) {
        await this.#ask(orgId, fitting);
        // If others were faster, they ask again.
        resolveAll(fitting, again);
      }
      const waitMs = grantWaitsMs[tries];
      // Nobody can return more than the whole balance.
      const mayWait = (one: Waiting): boolean => waitMs !== undefined && isCovered(one, room);
      const refused = others.filter((one) => !mayWait(one));
      resolveAll(refused, { outcome: "refused", account: room });
      left = others.filter(mayWait);
      if (left.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  /** "refused": with what this gateway could have now at most. */
  async #ask(orgId: string, waiters: Waiters): Promise<MoneyAnswer> {
    const { own, calls } = this.#options;
    const before = own.spendable(orgId);
    const wanted = waiters.reduce((sum, { whole }) => sum + whole, 0n);
    const missing = wanted - (before?.available ?? 0n);
    if (before !== undefined && missing <= 0n) return again;
    const need = missing > 0n ? missing : 1n;
    const reply = await calls.grantMoney(orgId, microUsd(need), microUsd(need * grantAhead));
    if (reply.outcome === "no_account") return { outcome: "no_account" };
    if (!("own" in reply)) return away;
    own.told(orgId, reply, reply.amount);
    if (reply.outcome === "granted") return again;
    const here = own.spendable(orgId);
    if (here === undefined) throw new Error("an account was not opened");
    const available = microUsd(here.available + reply.balance - reply.escrowed);
    return { outcome: "refused", account: { ...here, available } };
  }
}

/** Those that fit into what is available, first come, first served, and what they leave. */
function fittingIn(waiters: Waiters, { available, ...account }: AccountBalance) {
  const fitting: Waiting[] = [];
  const others: Waiting[] = [];
  let left: bigint = available;
  for (const waiting of waiters) {
    const fits = waiting.whole <= left;
    (fits ? fitting : others).push(waiting);
    if (fits) left -= waiting.whole;
  }
  const room: AccountBalance = { ...account, available: left > 0n ? microUsd(left) : zeroUsd };
  return { fitting, others, room };
}

function isCovered({ estimate }: Waiting, account: AccountBalance): boolean {
  return balanceVerdict(estimate, account) !== "insufficient_balance";
}

function resolveAll(waiters: Waiters, answer: MoneyAnswer): void {
  for (const { resolve } of waiters) resolve(answer);
}

const again: MoneyAnswer = { outcome: "again" };
const away: MoneyAnswer = { outcome: "away" };
/** So many requests like those that wait may then go on without a question, where plenty is free. */
const grantAhead = 16n;
