import type { Temper } from "./soak-provider.ts";

export const operatorKey = `sk-gw-${"50a".repeat(16)}`;

/**
 * Model `p/m` is served by an account that often refuses and one that does not, `q/f` by one that fails
 * in every way, `r/m` by one that never does. Timeouts are short, so that a run meets many of them.
 */
export function soakConfig(originOf: (temper: Temper) => string): unknown {
  const account = (name: string, provider: string, temper: Temper, model: string) => ({
    name,
    provider,
    type: "openai",
    baseUrl: originOf(temper),
    wires: ["chat", "messages"],
    models: [model],
    timeoutsMs: { connect: 5_000, headers: 5_000, idle: 5_000 },
  });
  return {
    providers: [
      account("p-refusing", "p", "refusing", "m"),
      account("p-steady", "p", "steady", "m"),
      account("q-faulty", "q", "faulty", "f"),
      account("r-steady", "r", "steady", "m"),
    ],
    network: { allowedInternalHosts: [new URL(originOf("unpaid")).host] },
    scan: { requestsPerMinute: 1_000_000 },
  };
}
