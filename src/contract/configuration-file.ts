import { Type, type Static } from "typebox";
import { ControlPlaneEntry } from "./configuration-control-plane.ts";
import { ProviderEntry } from "./configuration-provider.ts";
import { members, oneOf, wholeNumber } from "./documented-schema.ts";
import {
  bodyBytesMaxCeiling,
  cacheBytesMaxCeiling,
  cacheBytesMaxDefault,
  providerAccountsMax,
  scanContentBytesMaxDefault,
  scanRequestsPerMinuteDefault,
  tokenCountsPerMinuteDefault,
  holdsPerOrganizationMax,
  lowBalanceUsdDefault,
} from "./limits.ts";
import { ConfiguredPrice, usdPerMillion } from "./pricing-configuration.ts";
import { injectionActionDescription } from "./security-policy.ts";

/** Defaults for members that the file leaves out (design section 7: Scan numbers, Default security policy). */
export const injectionPolicyDefault = { action: "block", sensitivity: "balanced" } as const;
export const scanPriceDefault = {
  injectionUsdPerMillion: "0.10",
  entityUsdPerMillion: "0.05",
  minimumBillableTokens: 100,
} as const;

export const originExpected = 'scheme, host and port, such as "https://weir.example.com"';
export const publicUrlExpected = 'an address without a query, such as "https://weir.example.com"';

const storeTypeExpected = '"embedded" or "postgres"';

const pricing = members(
  {
    models: Type.Optional(
      Type.Record(Type.String({ pattern: "^[a-z0-9_-]{1,64}/[!-~]{1,256}$" }), ConfiguredPrice, {
        description: "Prices by `provider/model`; they go before the built-in catalog.",
        errorMessage: "an object whose members are named provider/model",
        additionalProperties: false,
      }),
    ),
    scan: Type.Optional(
      members(
        {
          injectionUsdPerMillion: Type.Optional(
            Type.String({
              ...usdPerMillion("US dollars for a million tokens scanned for prompt injection."),
              default: scanPriceDefault.injectionUsdPerMillion,
            }),
          ),
          entityUsdPerMillion: Type.Optional(
            Type.String({
              ...usdPerMillion("US dollars for a million tokens scanned for entities."),
              default: scanPriceDefault.entityUsdPerMillion,
            }),
          ),
          minimumBillableTokens: Type.Optional(
            wholeNumber(0, 1_000_000, {
              description: "A scan is charged for at least this many tokens.",
              default: scanPriceDefault.minimumBillableTokens,
            }),
          ),
        },
        { description: "What scans cost." },
      ),
    ),
  },
  { description: "Prices. Money is a decimal string." },
);

const network = members(
  {
    trustedProxies: Type.Optional(
      Type.Array(
        Type.String({ description: "An address or a network.", errorMessage: "a string" }),
        {
          description: "Proxies whose X-Forwarded-For is believed: addresses or CIDR networks.",
          errorMessage: "a list of addresses or CIDR networks",
          maxItems: 1024,
          default: [],
        },
      ),
    ),
    allowedInternalHosts: Type.Optional(
      Type.Array(Type.String({ description: "`host` or `host:port`.", errorMessage: "a string" }), {
        description: "Internal hosts that callers may name as their upstream.",
        errorMessage: "a list of host or host:port",
        maxItems: 1024,
        default: [],
      }),
    ),
    upstreamPorts: Type.Optional(
      Type.Union(
        [Type.Null(), Type.Array(Type.Integer({ minimum: 1, maximum: 65535 }), { maxItems: 1024 })],
        {
          description: "Ports that callers may name in their upstream; null: any.",
          errorMessage: "null or a list of ports from 1 to 65535",
          default: null,
        },
      ),
    ),
    keylessPassthrough: Type.Optional(
      Type.Boolean({
        description:
          "Whether own-keys requests without a service key are served, limited per address. A gateway that listens beyond loopback with it on is an open relay.",
        errorMessage: "true or false",
        default: true,
      }),
    ),
    allowedHosts: Type.Optional(
      Type.Array(Type.String({ description: "A host name.", errorMessage: "a string" }), {
        description:
          "Names by which clients reach this gateway, beside addresses and localhost. The MCP endpoint refuses other names: in Host where the gateway listens on loopback or where names are listed here, in Origin always. So do the metrics where they need no key.",
        errorMessage: "a list of host names",
        maxItems: 1024,
        default: [],
      }),
    ),
  },
  { description: "Whom to trust and what callers may reach." },
);

const injectionPolicy = members(
  {
    action: Type.Optional(
      oneOf(["block", "replace", "flag"], {
        description: `What happens to a request whose score reaches the operating point. ${injectionActionDescription}`,
        default: injectionPolicyDefault.action,
      }),
    ),
    sensitivity: Type.Optional(
      oneOf(["strict", "balanced", "permissive"], {
        description: "The operating point; strict catches more and errs more often.",
        default: injectionPolicyDefault.sensitivity,
      }),
    ),
  },
  { description: "Prompt injection." },
);

/** The configuration file; published for editors as docs/weir.config.schema.json. */
export const ConfigurationFile = members(
  {
    $schema: Type.Optional(
      Type.String({ description: "Where editors find this schema.", errorMessage: "a string" }),
    ),
    publicUrl: Type.Optional(
      Type.String({
        description:
          "The address by which clients reach the gateway, such as https://weir.example.com. The `results_url` of message batches is made to point at it, so that an SDK that follows it sends its service key to no provider.",
        pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$",
        errorMessage: publicUrlExpected,
      }),
    ),
    store: Type.Optional(
      Type.Union(
        [
          members(
            { type: Type.Literal("embedded", { errorMessage: storeTypeExpected }) },
            { description: "The data directory of this gateway, which is its alone." },
          ),
          members(
            {
              type: Type.Literal("postgres", { errorMessage: storeTypeExpected }),
              url: members(
                {
                  env: Type.String({
                    description: "The environment variable that holds the database's URL.",
                    pattern: "^[A-Za-z_][A-Za-z0-9_]{0,127}$",
                    errorMessage: "the name of an environment variable",
                  }),
                },
                { description: "Where the database's URL is, such as `WEIR_POSTGRES_URL`." },
              ),
            },
            {
              description:
                "A PostgreSQL that several gateways share, 14 or newer. `npm run migrate` prepares it. The data directory then holds a copy.",
            },
          ),
        ],
        {
          description: "Where keys, money and the audit log are. Default: the data directory.",
          errorMessage: '{"type": "postgres", "url": {"env": "NAME"}} or {"type": "embedded"}',
        },
      ),
    ),
    dashboard: Type.Optional(
      members(
        {
          publicUrl: Type.Optional(
            Type.String({
              description:
                "Scheme, host and port by which browsers reach the keys API's listener, such as https://weir.example.com. With https the session's cookie is bound to this host and never sent without encryption. Needed behind a proxy that ends TLS.",
              pattern: "^https?://[^\\s/?#@]+$",
              errorMessage: originExpected,
            }),
          ),
        },
        { description: "Signing in with a browser." },
      ),
    ),
    providers: Type.Optional(
      Type.Array(ProviderEntry, {
        description: "The accounts that serve requests. None: the built-in provider `demo`.",
        errorMessage: `a list of at most ${providerAccountsMax} accounts`,
        maxItems: providerAccountsMax,
      }),
    ),
    pricing: Type.Optional(pricing),
    network: Type.Optional(network),
    controlPlane: Type.Optional(ControlPlaneEntry),
    security: Type.Optional(
      members(
        {
          defaultPolicy: Type.Optional(
            members(
              { injection: Type.Optional(injectionPolicy) },
              { description: "For organizations and keys without a policy of their own." },
            ),
          ),
        },
        { description: "What is scanned on the way to a provider." },
      ),
    ),
    billing: Type.Optional(
      members(
        {
          url: Type.Optional(
            Type.String({
              description:
                "Where a balance refusal sends people: `billingUrl`. Default: the dashboard's page; with `publicUrl` alone the gateway's `/v1/me`, which tells a key its balance.",
              pattern: "^https?://[^\\s/?#]+[^\\s]*$",
              errorMessage: 'an address such as "https://example.com/billing"',
            }),
          ),
          holdsPerOrganizationMax: Type.Optional(
            wholeNumber(1, 1_000_000, {
              description:
                "Requests of one organization that may be paid for at once; one more is `payg_busy`.",
              default: holdsPerOrganizationMax,
            }),
          ),
          lowBalanceUsd: Type.Optional(
            Type.String({
              description: "Balances below it are counted in the metrics.",
              pattern: "^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,6})?$",
              errorMessage:
                'a decimal string such as "1.00" with at most nine digits before the point and six behind it',
              default: lowBalanceUsdDefault,
            }),
          ),
        },
        { description: "Prepaid balances." },
      ),
    ),
    scan: Type.Optional(
      members(
        {
          contentBytesMax: Type.Optional(
            wholeNumber(1024, bodyBytesMaxCeiling, {
              description: "The largest content of one scan, in bytes.",
              default: scanContentBytesMaxDefault,
            }),
          ),
          requestsPerMinute: Type.Optional(
            wholeNumber(1, 1_000_000, {
              description: "Scans a minute for one organization.",
              default: scanRequestsPerMinuteDefault,
            }),
          ),
        },
        { description: "The security scan API." },
      ),
    ),
    tokenCounts: Type.Optional(
      members(
        {
          requestsPerMinute: Type.Optional(
            wholeNumber(1, 1_000_000, {
              description:
                "Requests to /v1/messages/count_tokens a minute for one key without a rate limit of its own.",
              default: tokenCountsPerMinuteDefault,
            }),
          ),
        },
        { description: "Token counts, which are free and count in windows of their own." },
      ),
    ),
    cache: Type.Optional(
      members(
        {
          bytesMax: Type.Optional(
            wholeNumber(0, cacheBytesMaxCeiling, {
              description:
                "Memory for cached answers, in bytes, all proxy threads together; 0: there is no cache.",
              default: cacheBytesMaxDefault,
            }),
          ),
        },
        { description: "The response cache, which requests and keys turn on." },
      ),
    ),
  },
  { title: "Weir configuration", description: "The configuration file of the gateway." },
);
export type ConfigurationFile = Static<typeof ConfigurationFile>;
