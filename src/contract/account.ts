import type { Wire } from "./wire.ts";

/** Types whose SDK this build lacks (`bedrock`, `vertex`) answer `cloud_sdk_unavailable`. */
export const providerTypes = ["openai", "anthropic", "bedrock", "vertex", "demo"] as const;
export type ProviderType = (typeof providerTypes)[number];

/** Headers that providers take their credential in; `authorization` as a bearer token. */
export const credentialHeaders = [
  "authorization",
  "api-key",
  "x-api-key",
  "x-goog-api-key",
] as const;
export type CredentialHeader = (typeof credentialHeaders)[number];

/** Where the providers' APIs stand, and the gateway's own. */
export const apiPathDefault = "/v1";

/** A model that an account serves. `id` is the provider's name for it. */
export interface AccountModel {
  readonly id: string;
  readonly alias: string | null;
  /** In a pool, models with a higher number come after all with a lower one; at least 0. */
  readonly priority: number;
  /** The share of the first tries among models of the same priority; at least 0. */
  readonly weight: number;
}

export interface UpstreamTimeouts {
  /** The longest time to connect, TCP and TLS together, ms. */
  readonly connect: number;
  /** The longest time from the sent request to the answer's headers, ms. */
  readonly headers: number;
  /** The longest silence between two chunks of the answer, ms. */
  readonly idle: number;
}

/** One configured account at a provider. Its secret was read from the environment. */
export interface ProviderAccount {
  /** Unique. `X-Svc-Provider` and `available_account_names` use it. */
  readonly name: string;
  /** The catalog's prefix in `provider/model`; several accounts may share one. Default: the name. */
  readonly provider: string;
  readonly type: ProviderType;
  /** Scheme, host and port, e.g. `https://api.openai.com`. */
  readonly origin: string;
  /** The prefix of the request's path, without a trailing slash; usually empty. */
  readonly basePath: string;
  /** Stands for the `/v1` of a request's path; `{model}` in it for the model's id. */
  readonly apiPath: string;
  /** What each call has in its query, without `?`; "" for nothing. */
  readonly query: string;
  /** The header of `credential`; null: the wire's own. */
  readonly credentialHeader: CredentialHeader | null;
  readonly wires: readonly Wire[];
  /** null: the account needs none (`demo`, or no `apiKey` configured); undefined: named but not set. */
  readonly credential: string | null | undefined;
  /** The environment variable that `credential` comes from; null: none is named. */
  readonly credentialVariable: string | null;
  readonly models: readonly AccountModel[];
  /** The only organization that it serves; null: it serves all. */
  readonly orgId: string | null;
  readonly timeoutsMs: UpstreamTimeouts;
  /** The longest answer that is buffered whole, bytes. */
  readonly responseBytesMax: number;
}

/** The accounts that the configuration file asks for. */
export interface FileAccounts {
  readonly accounts: readonly ProviderAccount[];
  /** True if the file has none. Then this is the built-in demo, until another account exists. */
  readonly builtInDemo: boolean;
}
