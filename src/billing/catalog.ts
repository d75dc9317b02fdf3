import { refuse } from "../contract/errors.ts";
import { priceLookupsMax } from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { ConfiguredPrice } from "../contract/pricing-configuration.ts";
import type { Price } from "../contract/pricing.ts";
import { ModelRules } from "./model-rules.ts";
import type { PriceFile, PriceFileProvider } from "./price-file.ts";
import { periodsOfConfigured, periodsOfFile } from "./price-periods.ts";
import { priceVersion } from "./price-version.ts";
import { periodAt } from "./rate-selection.ts";

/** For models with this suffix, OpenRouter searches the web at a fee that is not in the list. */
const searchSuffix = ":online";

/** Names of providers in accounts, with their different names in the price file. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["bedrock", "aws"],
  ["azure-openai", "azure"],
  ["gemini", "google"],
  ["vertex", "google"],
  ["moonshot", "moonshotai"],
  ["together-ai", "together"],
  ["together_ai", "together"],
  ["xai", "x-ai"],
]);

/** Prices by provider and model: the configured ones, then those of the price file. */
export class PriceCatalog {
  /** A hash of all prices, the same on every machine; requests' debits contain it. */
  readonly version: string;
  readonly #configured: Readonly<Record<string, ConfiguredPrice>>;
  readonly #file: PriceFile;
  readonly #rules = new Map<string, ModelRules>();
  /**
   * Remembered prices by `provider/model`; null: no price. The oldest entry is removed to make
   * room.
   */
  readonly #found = new Map<string, Price | null>();

  constructor(file: PriceFile, configured: Readonly<Record<string, ConfiguredPrice>>) {
    this.#file = file;
    this.#configured = configured;
    this.version = versionOf(file, configured);
  }

  /**
   * The price of a model by the provider's own name for it. `provider` is that of the account. `at` is
   * milliseconds since 1970. Errors: `pricing_unavailable` for a model that is not in the catalog, has
   * a missing or invalid rate, or has no price at that time.
   */
  priceOf(provider: string, model: string, at: number): Outcome<Price> {
    const key = `${provider}/${model}`;
    let price = this.#found.get(key);
    if (price === undefined) {
      price = this.#look(provider, model) ?? null;
      if (this.#found.size >= priceLookupsMax) this.#forgetOldest();
      this.#found.set(key, price);
    }
    if (price === null) return refuse("pricing_unavailable", `${key} has no valid price.`);
    if (periodAt(price, at) === undefined) {
      return refuse("pricing_unavailable", `${key} has no price at this time.`);
    }
    return accept(price);
  }

  #forgetOldest(): void {
    const [oldest] = this.#found.keys();
    if (oldest !== undefined) this.#found.delete(oldest);
  }

  #look(provider: string, model: string): Price | undefined {
    const listed = this.#listed(otherNames.get(provider) ?? provider, model);
    const entry = this.#configuredEntry(provider, model);
    const configured = entry === undefined ? undefined : this.#configured[entry];
    if (entry === undefined || configured === undefined) return listed;
    const periods = periodsOfConfigured(configured);
    if (periods === undefined) return undefined;
    return {
      entry,
      isAssumed: false,
      source: "configuration",
      catalogVersion: this.version,
      contextTokensMax: configured.contextTokensMax ?? listed?.contextTokensMax ?? null,
      outputTokensMax: configured.outputTokensMax ?? listed?.outputTokensMax ?? null,
      periods,
    };
  }

  /** The demo provider takes parameters after the name: `echo?tokens=100`. */
  #configuredEntry(provider: string, model: string): string | undefined {
    const names = [`${provider}/${model}`, `${provider}/${model.replace(/\?.*$/, "")}`];
    return names.find((name) => Object.hasOwn(this.#configured, name));
  }

  #listed(provider: string, model: string): Price | undefined {
    const known = this.#provider(provider);
    if (known === undefined || model.endsWith(searchSuffix)) return undefined;
    for (const id of [provider, ...(known.fallbacks ?? [])]) {
      const models = this.#provider(id)?.models ?? [];
      const match = this.#rulesOf(id).find(model);
      const found = models[match?.place ?? -1];
      if (match === undefined || found === undefined) continue;
      const periods = periodsOfFile(found);
      if (periods === undefined) return undefined;
      return {
        entry: `${id}/${found.id}`,
        isAssumed: !match.isNamed,
        source: "catalog",
        catalogVersion: this.version,
        contextTokensMax: found.context ?? null,
        outputTokensMax: found.output ?? null,
        periods,
      };
    }
    return undefined;
  }

  #provider(id: string): PriceFileProvider | undefined {
    return Object.hasOwn(this.#file.providers, id) ? this.#file.providers[id] : undefined;
  }

  #rulesOf(provider: string): ModelRules {
    const known = this.#rules.get(provider);
    if (known !== undefined) return known;
    const rules = new ModelRules(this.#provider(provider)?.models ?? []);
    this.#rules.set(provider, rules);
    return rules;
  }
}

function versionOf(file: PriceFile, configured: Readonly<Record<string, ConfiguredPrice>>): string {
  const entries = Object.entries(configured).sort(([one], [other]) => (one < other ? -1 : 1));
  return priceVersion(file, entries);
}
