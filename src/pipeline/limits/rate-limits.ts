import type { Organization } from "../../contract/identity.ts";
import { refuse } from "../../contract/errors.ts";
import { passthroughRequestsPerWindow, signInsPerMinute } from "../../contract/limits.ts";
import { accept, type Outcome, type Refused } from "../../contract/outcome.ts";
import { countersBusy } from "../../store/slots/counters-busy.ts";
import { consumeRates } from "../../store/windows/granted-limits.ts";
import type { LimitGrants } from "../../store/windows/limit-grants.ts";
import type {
  RateCheck,
  RateDecision,
  RateState,
  RateWindows,
} from "../../store/windows/rate-windows.ts";
import { inServiceNamespace, type OrganizationKey } from "../caller/authenticate.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { clientAddress, limitedNetwork, type TrustedProxies } from "./client-address.ts";
import { admittedHeaders, scopedHeaders } from "./rate-headers.ts";
import type { LimitRejections } from "../record/limit-kind.ts";

export interface RateLimitServices {
  /** Windows of organizations, keys and workspaces. */
  readonly windows: RateWindows;
  /**
   * Windows of addresses. They are separate, so clients without a key who come from many addresses fill only
   * these.
   */
  readonly passthroughWindows: RateWindows;
  /** Asks for more of limits that several gateways share; null: they are this gateway's own. */
  readonly grants: LimitGrants | null;
  readonly findOrganization: (id: string) => Organization | undefined;
  /** Scans in 60 seconds of one workspace. A workspace is an organization. */
  readonly scansPerMinute: number;
  /** Token counts in 60 seconds of a key that has no cap of its own. */
  readonly tokenCountsPerMinute: number;
  readonly proxies: TrustedProxies;
  readonly rejected: LimitRejections;
}

/** The part of an exchange that a limit needs: the headers that go with the answer, and a body that can wait. */
type AnsweredExchange = Pick<Exchange, "keepHeaders" | "holdBody">;

/** … of a request that counts by its client's address. */
type AddressedExchange = AnsweredExchange & Pick<Exchange, "head" | "remoteAddress">;

/**
 * A promise if the store that several gateways share must be asked. The exchange's body is kept back until it resolves.
 */
export type Limited = Outcome<null> | Promise<Outcome<null>>;

/**
 * The rate limits (spec: Rate limits). A request counts as soon as its key is known, before its body is read.
 * So the body of a refused request is not uploaded, and a request with a wrong body counts too. The headers
 * go with every answer from then on.
 */
export class RateLimits {
  readonly #services: RateLimitServices;

  constructor(services: RateLimitServices) {
    this.#services = services;
  }

  /**
   * Counts a request with a service key, own-keys requests included. Errors: `rate_limit_exceeded`; here and
   * below also `detector_unavailable` if the request can't be counted at the moment.
   */
  request(exchange: AnsweredExchange, key: OrganizationKey): Limited {
    return this.#check(exchange, key, null);
  }

  /**
   * Counts a request that asks how many tokens a message has. It counts in windows of its own, with the caps
   * of the organization and the key, so that it takes nothing from their requests. A key without a cap has
   * `tokenCountsPerMinute`, which headers show only if it refused. Errors: `rate_limit_exceeded`.
   */
  tokenCount(exchange: AnsweredExchange, key: OrganizationKey): Limited {
    const { tokenCountsPerMinute: limit } = this.#services;
    const unlimited = key.rateLimit === null ? { id: tokenCounts + key.id, limit } : null;
    return this.#check(exchange, key, unlimited, tokenCounts);
  }

  /**
   * Counts a scan request: one request, and `units` of the workspace's scans. REST, batch and MCP share these
   * units. Organization, key and scans are checked together: if one of them refuses, none counts anything.
   * Headers show the scan window only if it refused, because they are absent if neither organization nor key
   * has a limit. Errors: `rate_limit_exceeded`.
   */
  scan(exchange: AnsweredExchange, key: OrganizationKey, units = 1): Limited {
    return this.#check(exchange, key, this.#scanCheck(key.orgId, units));
  }

  /**
   * Counts only units of the workspace's scans, for scans that run later than they were requested (spec: Scan
   * limits, batch rate usage). Errors: `rate_limit_exceeded`.
   */
  scanUnits(orgId: string, units: number): Limited {
    const { windows, grants } = this.#services;
    const decision = consumeRates(windows, [this.#scanCheck(orgId, units)], grants, "rates");
    return decision instanceof Promise
      ? decision.then((came) => this.#decided(null, ["scan"], came))
      : this.#decided(null, ["scan"], decision);
  }

  /**
   * Counts a keyless own-keys request by its client's address. Inside the service's namespaces it takes two
   * units (spec: Rate limits 4). Errors: `rate_limit_exceeded`.
   */
  passthrough(exchange: AddressedExchange): Limited {
    const units = inServiceNamespace(exchange.head.path) ? 2 : 1;
    return this.#checkAddress(exchange, "passthrough", "", passthroughRequestsPerWindow, units);
  }

  /**
   * Counts an attempt to sign in, by its client's address; attempts that succeed count too. Errors:
   * `rate_limit_exceeded`.
   */
  signIn(exchange: AddressedExchange): Limited {
    return this.#checkAddress(exchange, "sign_in", "sign_in ", signInsPerMinute, 1);
  }

  /** `windows` begins the window's name. */
  #checkAddress(
    exchange: AddressedExchange,
    kind: "passthrough" | "sign_in",
    windows: string,
    limit: number,
    units: number,
  ): Limited {
    const { passthroughWindows, proxies, grants } = this.#services;
    const address = clientAddress(exchange.remoteAddress, exchange.head.headers, proxies);
    const checks = [{ id: windows + limitedNetwork(address), limit, units }];
    const decision = consumeRates(passthroughWindows, checks, grants, "passthrough");
    return decision instanceof Promise
      ? exchange.holdBody(decision).then((came) => this.#decided(exchange, [kind], came))
      : this.#decided(exchange, [kind], decision);
  }

  /** `unshown`: a window that headers show only if it refused. `windows` begins the names of the others. */
  #check(
    exchange: AnsweredExchange,
    key: OrganizationKey,
    unshown: RateCheck | null,
    windows = "",
  ): Limited {
    const organizationLimit = this.#services.findOrganization(key.orgId)?.rateLimit ?? null;
    const checks: RateCheck[] = [];
    const kinds: RateLimitKind[] = [];
    if (organizationLimit !== null) {
      checks.push({ id: windows + key.orgId, limit: organizationLimit });
      kinds.push("org");
    }
    if (key.rateLimit !== null) {
      checks.push({ id: windows + key.id, limit: key.rateLimit });
      kinds.push("key");
    }
    if (unshown !== null) {
      checks.push(unshown);
      kinds.push(windows === tokenCounts ? "token_count" : "scan");
    }
    if (checks.length === 0) return accept(null);
    const decision = consumeRates(this.#services.windows, checks, this.#services.grants, "rates");
    return decision instanceof Promise
      ? exchange.holdBody(decision).then((came) => this.#decided(exchange, kinds, came))
      : this.#decided(exchange, kinds, decision);
  }

  /** `exchange`: gets the headers of an admitted request; null if there is no answer. */
  #decided(
    exchange: Pick<Exchange, "keepHeaders"> | null,
    kinds: readonly RateLimitKind[],
    decision: RateDecision,
  ): Outcome<null> {
    if (!decision.admitted) return this.#refuse(kinds, decision);
    const stateOf = (kind: RateLimitKind): RateState | undefined =>
      decision.states[kinds.indexOf(kind)];
    const address = stateOf("passthrough");
    // Headers show no window of scans, of token counts without a cap, or of sign-ins.
    const headers =
      address === undefined
        ? admittedHeaders(stateOf("org"), stateOf("key"))
        : scopedHeaders(address, "passthrough-ip");
    if (headers.length > 0) exchange?.keepHeaders(headers);
    return accept(null);
  }

  #scanCheck(orgId: string, units: number): RateCheck {
    return { id: `scan ${orgId}`, limit: this.#services.scansPerMinute, units };
  }

  /**
   * The body's `retryAfter` is a point in time. The header `Retry-After` is the number of seconds until then.
   */
  #refuse(
    kinds: readonly RateLimitKind[],
    decision: Extract<RateDecision, { admitted: false }>,
  ): Refused {
    if (decision.refusedAt === null) return countersBusy;
    const kind = kinds[decision.refusedAt] ?? "key";
    const { state } = decision;
    this.#services.rejected(`rate_${kind}`);
    const { message, scope } = refusals[kind];
    return refuse("rate_limit_exceeded", `${message} (${state.limit} in any 60 seconds).`, {
      details: { retryAfter: state.resetUnixSeconds },
      retryAfterSeconds: state.resetAfterSeconds,
      headers: scopedHeaders(state, scope),
    });
  }
}

/** Begins the names of the windows in which token counts are counted. */
const tokenCounts = "token_count ";

type RateLimitKind = "org" | "key" | "scan" | "token_count" | "passthrough" | "sign_in";

const refusals = {
  org: { message: "Organization rate limit exceeded", scope: "org" },
  key: { message: "API key rate limit exceeded", scope: null },
  scan: { message: "Scan rate limit of the workspace exceeded", scope: null },
  token_count: { message: "API key rate limit of token counts exceeded", scope: null },
  sign_in: { message: "Too many attempts to sign in from this address", scope: null },
  passthrough: {
    message: "Rate limit of requests without a service key exceeded",
    scope: "passthrough-ip",
  },
} as const;
