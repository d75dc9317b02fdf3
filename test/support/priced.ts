interface TestConfig {
  readonly providers?: readonly TestProvider[];
  readonly pricing?: { readonly models?: object };
}

interface TestProvider {
  readonly name: string;
  readonly provider?: string;
  readonly type?: string;
  readonly models?: readonly (string | { readonly id: string })[];
}

/** $1 and $2 for a million tokens, so that a token costs one or two micro-dollars. */
const testPrice = {
  inputUsdPerMillion: "1",
  outputUsdPerMillion: "2",
  contextTokensMax: 100_000,
  outputTokensMax: 1_000,
};

/** The configuration with a price for every model of its accounts that has none. */
export function priced(config: unknown): unknown {
  if (typeof config !== "object" || config === null) return config;
  // The test writes this configuration; the gateway reports its faults.
  const { providers, pricing } = config as TestConfig;
  if (!Array.isArray(providers)) return config;
  const models: Record<string, object> = {};
  for (const { name, provider = name, models: listed = [] } of providers as TestProvider[]) {
    for (const model of listed) {
      models[`${provider}/${typeof model === "string" ? model : model.id}`] = testPrice;
    }
  }
  return { ...config, pricing: { ...pricing, models: { ...models, ...pricing?.models } } };
}
