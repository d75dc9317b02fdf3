import { operatorKey, type Cluster } from "./cluster.ts";

/** An answer of the keys API. */
export interface OperatorAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const [tryMsMax, allMsMax] = [60_000, 300_000];

/** An operator who tries again, at another gateway, until an answer has come. What is asked must stand being done twice. */
export class Operator {
  readonly #cluster: Cluster;
  /** Dollars by organization and key. */
  readonly toppedUp = new Map<string, string>();

  #hasGivenUp = false;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Nothing is tried again from now on: the round has failed. */
  giveUp(): void {
    this.#hasGivenUp = true;
  }

  /** The first answer that is no failure of the gateway. Throws if none comes in five minutes. */
  async ask(method: string, path: string, body?: object): Promise<OperatorAnswer> {
    const endMs = performance.now() + allMsMax;
    let last = "no gateway is there";
    while (performance.now() < endMs && !this.#hasGivenUp) {
      const gateway = this.#cluster.next();
      try {
        if (gateway !== null) {
          const answer = await call(gateway.keysUrl, method, path, body);
          if (answer.status < 500 && answer.status !== 429) return answer;
          last = `${answer.status} ${JSON.stringify(answer.body)}`;
        }
      } catch (error) {
        last = String(error);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error(`${method} ${path}: ${last}\n${await this.#cluster.state()}`);
  }

  /** The `data` of an answer of success. */
  async data(
    method: string,
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body["data"] as Readonly<Record<string, unknown>>;
  }

  async organization(name: string): Promise<string> {
    return String((await this.data("POST", "orgs", { name, plan: "paid" }))["id"]);
  }

  async key(
    orgId: string,
    more: object = {},
  ): Promise<{ readonly id: string; readonly secret: string }> {
    const { status, body } = await this.ask("POST", "api-keys", { name: "k", orgId, ...more });
    if (status >= 300) throw new Error(`a key was refused: ${status} ${JSON.stringify(body)}`);
    const { id } = body["data"] as { readonly id: string };
    return { id, secret: String(body["key"]) };
  }

  async topUp(orgId: string, amountUsd: string, idempotencyKey: string): Promise<void> {
    await this.data("POST", `orgs/${orgId}/top-ups`, { amountUsd, idempotencyKey });
    this.toppedUp.set(`${orgId} ${idempotencyKey}`, amountUsd);
  }
}

async function call(
  keysUrl: string,
  method: string,
  path: string,
  body: object | undefined,
): Promise<OperatorAnswer> {
  const response = await fetch(`${keysUrl}/api/v1/gateway/${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorKey}` },
    signal: AbortSignal.timeout(tryMsMax),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === "" ? {} : (JSON.parse(text) as OperatorAnswer["body"]),
  };
}
