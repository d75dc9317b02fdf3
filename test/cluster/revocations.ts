import { bounded, passed } from "./bounded.ts";
import { askOnce, modelsOf, type DirectAnswer } from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import type { Operator } from "./operator.ts";

interface Key {
  readonly id: string;
  readonly secret: string;
}

/** How often each gateway is asked with a revoked key. */
const watchMs = 120;

/** Keys that all gateways know, and that are revoked while something is broken. */
export class Revocations {
  readonly #cluster: Cluster;
  readonly #operator: Operator;
  readonly #watches: Promise<void>[] = [];
  /** Who has served a key although its revocation was answered before the request was sent. */
  readonly served: string[] = [];
  /** Requests with a revoked key that were refused for it. */
  refused = 0;
  #isOver = false;

  constructor(cluster: Cluster, operator: Operator) {
    this.#cluster = cluster;
    this.#operator = operator;
  }

  /** A key that each gateway has served, so that each of them would have to forget it. */
  async key(orgId: string): Promise<Key> {
    const key = await this.#operator.key(orgId);
    for (const { number, process } of this.#cluster.nodes) {
      const { answerMsMax } = this.#cluster;
      const { status, text } = await askOnce(process?.url ?? "", key.secret, answerMsMax);
      if (status !== 200) throw new Error(`gateway ${number} does not serve a new key: ${text}`);
    }
    return key;
  }

  /**
   * Revokes it, as three operators at once, because one may have asked the gateway that is broken. From the first answer
   * on every gateway is asked with it, until `end`.
   */
  async revoke({ id, secret }: Key): Promise<void> {
    const asked = this.#cluster.nodes.map(() => this.#operator.ask("DELETE", `api-keys/${id}`));
    this.#watches.push(Promise.allSettled(asked).then(() => undefined));
    const { status } = await Promise.race(asked);
    // 404: another one was faster.
    if (![200, 204, 404].includes(status)) throw new Error(`a revocation was answered ${status}`);
    for (const { number } of this.#cluster.nodes) {
      this.#watches.push(this.#watch(number, secret, `${status}`));
    }
  }

  /** The last requests are sent when everything works again. */
  async end(): Promise<void> {
    this.#isOver = true;
    const msMax = 2 * this.#cluster.answerMsMax;
    const state = (): Promise<string> => this.#cluster.state();
    await bounded("requests with revoked keys", msMax, Promise.all(this.#watches), state);
  }

  async #watch(number: number, secret: string, answered: string): Promise<void> {
    for (let isLast = false; !isLast;) {
      isLast = this.#isOver;
      const process = this.#cluster.nodes.find((node) => node.number === number)?.process;
      if (process) {
        const { answerMsMax } = this.#cluster;
        await this.#expectRefused(number, answered, modelsOf(process.url, secret, answerMsMax));
        await this.#expectRefused(number, answered, askOnce(process.url, secret, answerMsMax));
      }
      if (!isLast) await passed(watchMs);
    }
  }

  async #expectRefused(number: number, answered: string, asked: Promise<DirectAnswer>) {
    const sentMs = performance.now();
    const { status } = await asked;
    if (status === 401) this.refused += 1;
    if (status === 200) {
      const at = `sent at ${Math.round(sentMs)} ms`;
      this.served.push(`gateway ${number}, after the answer ${answered}, ${at}`);
    }
  }
}
