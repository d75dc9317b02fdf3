/** The calls of the bench to Weir besides its loads. */
export class WeirApi {
  readonly #gateway: string;
  readonly #keys: string;
  readonly #operatorKey: string;

  constructor(addresses: { readonly gateway: string; readonly keys: string }, operatorKey: string) {
    this.#gateway = addresses.gateway;
    this.#keys = `${addresses.keys}/api/v1/gateway`;
    this.#operatorKey = operatorKey;
  }

  /**
   * Makes a paid organization with money, limits of every kind, and a key. Returns the key's secret.
   */
  async provision(requestsPerMinute: number): Promise<string> {
    const org = await this.#create("orgs", {
      name: "bench",
      plan: "paid",
      rateLimit: requestsPerMinute,
    });
    const orgId = org.data.id;
    await this.#create(`orgs/${orgId}/top-ups`, { amountUsd: "900000", idempotencyKey: "bench" });
    const key = await this.#create("api-keys", {
      name: "bench",
      orgId,
      rateLimit: requestsPerMinute,
    });
    for (const [limitType, timeWindow] of [
      ["requests", "1 hour"],
      ["tokens", "1 day"],
      ["cost", "1 month"],
    ]) {
      const threshold = limitType === "cost" ? "800000" : "900000000000";
      await this.#create("usage-limits", {
        orgId,
        name: `bench-${limitType}`,
        limitType,
        threshold,
        timeWindow,
      });
    }
    if (key.key === undefined) throw new Error("a new key has no secret");
    return key.key;
  }

  /** Scans a text that keeps its thread busy for long. */
  async scanLongText(key: string): Promise<void> {
    const input = "The river is wide, and the boat is small. ".repeat(8_000);
    await this.#post(`${this.#gateway}/v1/security/scan`, key, { input });
  }

  #create(path: string, body: object): Promise<Created> {
    return this.#post(`${this.#keys}/${path}`, this.#operatorKey, body);
  }

  async #post(url: string, key: string, body: object): Promise<Created> {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`);
    // Weir's own answers have the form that its contract describes.
    return JSON.parse(text) as Created;
  }
}

interface Created {
  readonly data: { readonly id: string };
  readonly key?: string;
}
