import { microUsd } from "../../src/contract/money.ts";
import { ledgerUnavailable } from "../../src/store/ledger/hold-refusals.ts";
import { orgOf } from "./oracle.ts";
import { textOf } from "./text-of.ts";
import type { World } from "./world.ts";

/** A client's order to the operator: sent again, at times with another amount, until it is answered. */
interface PlannedTopUp {
  readonly orgId: string;
  readonly idempotencyKey: string;
  readonly type: "top_up" | "correction";
  readonly amount: bigint;
  answered: boolean;
}

/** Whoever enters top-ups and corrections for clients. */
export class Operator {
  readonly #world: World;
  readonly #topUps: PlannedTopUp[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  get isDone(): boolean {
    return this.#topUps.every(({ answered }) => answered);
  }

  plan(orgId: string, type: "top_up" | "correction", amount: bigint): void {
    this.#add(orgId, type, amount, `${type}-${this.#topUps.length}`);
  }

  /** Gives money back for a request, and takes its id for the idempotency key. */
  refund(): void {
    const { knownIds } = this.#world;
    const requestId = knownIds[knownIds.length - 1 - this.#world.random.integer(0, 5)];
    if (requestId !== undefined) this.#add(orgOf(requestId), "correction", 1_000n, requestId);
  }

  #add(orgId: string, type: PlannedTopUp["type"], amount: bigint, idempotencyKey: string): void {
    const planned = { orgId, idempotencyKey, type, amount, answered: false };
    this.#topUps.push(planned);
    this.#send(planned);
  }

  #send(planned: PlannedTopUp): void {
    const world = this.#world;
    const { random } = world;
    const { orgId, idempotencyKey, type } = planned;
    const hasOtherAmount = !world.isCalm && random.chance(0.1);
    const amount = microUsd(planned.amount + (hasOtherAmount ? 1n : 0n));
    const sendsAgain = !planned.answered || random.chance(0.3);
    if (!sendsAgain) return;
    // While the first is on its way too.
    world.time.after(random.between(0, 3_000), "world", () => this.#send(planned));
    if (world.gateway === null) return;
    world.note(`${orgId} ${idempotencyKey} of ${amount} is sent`);
    world.gateway.ledger.topUp({ orgId, type, amount, idempotencyKey }).then(
      (entered) => {
        const code = entered.ok ? "entered" : entered.refusal.code;
        world.note(`${orgId} ${idempotencyKey} is answered: ${code}`);
        if (entered.ok) world.oracle.toppedUp(world.durable, orgId, entered.value);
        if (code !== ledgerUnavailable.refusal.code) planned.answered = true;
        if (code === "invalid_request" && amount >= 0n) world.oracle.fail("a top-up is too large");
      },
      (error: unknown) => world.oracle.fail(textOf(error)),
    );
  }
}
