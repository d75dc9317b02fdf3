import type { ProviderAccount } from "./account.ts";
import type { ConfiguredPrice } from "./pricing-configuration.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Settings of one deployment, from the environment. */
export interface GatewaySettings {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** 0: a free one. */
  readonly keysPort: number;
  /** Absolute. */
  readonly dataDir: string;
  /** spec: Request size. */
  readonly bodyBytesMax: number;
  readonly logLevel: LogLevel;
  readonly scanWorkers: number;
  /** Threads that serve the gateway's listener; the main thread is one of them. */
  readonly proxyThreads: number;
  /** The operator key for the first start; null: the gateway makes one. */
  readonly operatorKey: string | null;
  /** How long open exchanges may go on after SIGTERM. */
  readonly drainMs: number;
}

/** Where keys, money and the audit log are. */
export type StoreSettings =
  | { readonly type: "embedded" }
  | {
      readonly type: "postgres";
      /** It may hold a password. */
      readonly url: string;
    };

/** The validated configuration: complete, deeply frozen, secrets resolved. */
export interface Configuration {
  readonly gateway: GatewaySettings;
  /** The URL at which clients reach the gateway, without a trailing slash; null: unknown. */
  readonly publicUrl: string | null;
  readonly store: StoreSettings;
  /** At least one; an account of type `demo` has the origin "" until its server listens. */
  readonly providers: readonly ProviderAccount[];
  /** True if the file names none. Then `providers` is the built-in demo, until the API makes one. */
  readonly builtInDemo: boolean;
  readonly network: {
    /** Addresses or CIDR networks. */
    readonly trustedProxies: readonly string[];
    /** Canonical `host` or `host:port`. */
    readonly allowedInternalHosts: readonly string[];
    /** null: any. */
    readonly upstreamPorts: readonly number[] | null;
    readonly keylessPassthrough: boolean;
    /** Host names as WHATWG URLs spell them. */
    readonly allowedHosts: readonly string[];
  };
  readonly controlPlane: {
    /** A `*` at the end matches everything below. */
    readonly paths: readonly string[];
    /** Scheme, host and port. */
    readonly origin: string;
    /** Without a trailing slash; usually empty. */
    readonly basePath: string;
  };
  readonly security: {
    readonly defaultPolicy: {
      readonly injection: {
        readonly action: "block" | "replace" | "flag";
        readonly sensitivity: "strict" | "balanced" | "permissive";
      };
    };
  };
  readonly billing: {
    /** null: the dashboard's page, at the port that it is bound to (`billingUrlOf`). */
    readonly url: string | null;
    readonly holdsPerOrganizationMax: number;
    /** Decimal US dollars. */
    readonly lowBalanceUsd: string;
  };
  readonly scan: {
    readonly contentBytesMax: number;
    /** Per organization. */
    readonly requestsPerMinute: number;
  };
  readonly tokenCounts: {
    /** Per key that has no rate limit of its own. */
    readonly requestsPerMinute: number;
  };
  readonly dashboard: {
    /** Scheme, host and port at which browsers reach the keys API's listener; null: those that they use. */
    readonly origin: string | null;
  };
  readonly cache: {
    /** Of all proxy threads together; 0: there is no response cache. */
    readonly bytesMax: number;
  };
  readonly pricing: {
    /** By `provider/model`. */
    readonly models: Readonly<Record<string, ConfiguredPrice>>;
    readonly scan: {
      readonly injectionUsdPerMillion: string;
      readonly entityUsdPerMillion: string;
      readonly minimumBillableTokens: number;
    };
  };
}

/**
 * One fault. `path` is an environment variable, a file or a member of the file (`providers[0].baseUrl`).
 * Neither `path` nor `expected` contains a value, because a value may be a secret.
 */
export interface ConfigurationFault {
  readonly path: string;
  readonly expected: string;
}
