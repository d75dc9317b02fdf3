import type { ProviderFormat, Wire } from "../wire.ts";

/** The names under which records, metrics and exports count model requests. */
export const modelRoutes = ["chat", "messages", "responses", "count_tokens", "embeddings"] as const;
export type ModelRoute = (typeof modelRoutes)[number];

/**
 * A provider's endpoint that the service pays for. One file in this folder for each endpoint says how
 * it is read, priced, scanned and ended. The steps of a model request use these values and know no
 * endpoint by name.
 */
export interface ModelEndpoint {
  readonly path: string;
  readonly route: ModelRoute;
  /**
   * The wire whose errors, headers and credential slot the endpoint uses, and whose accounts serve
   * it.
   */
  readonly wire: Wire;
  /** How a scan reads the body. */
  readonly format: ProviderFormat;
  /** False: the provider charges nothing. Then nothing is held, debited or counted as usage. */
  readonly isBilled: boolean;
  /** Whether answers may come from the response cache. */
  readonly isCached: boolean;
  /** The rate-limit windows that a request counts in. */
  readonly window: "requests" | "token_counts";
}
