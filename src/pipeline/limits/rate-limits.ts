import type { Organization } from "../../contract/identity.ts";
import { refuse } from "../../contract/errors.ts";
import { passthroughRequestsPerWindow, signInsPerMinute } from "../../contract/limits.ts";
import { accept, type Outcome, type Refused } from "../../contract/outcome.ts";
import { countersBusy } from "../../store/slots/counters-busy.ts";
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
  readonly findOrganization: (id: string) => Organization | undefined;
  /** Scans in 60 seconds of one workspace. A workspace is an organization. */
  readonly scansPerMinute: number;
  /** Token counts in 60 seconds of a key that has no cap of its own. */
  readonly tokenCountsPerMinute: number;
  readonly proxies: TrustedProxies;
  readonly rejected: LimitRejections;
}

/** The part of an exchange that a limit needs: the headers that go with the answer. */
type AnsweredExchange = Pick<Exchange, "keepHeaders">;

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
  request(exchange: AnsweredExchange, key: OrganizationKey): Outcome<null> {
    return this.#check(exchange, key, null);
  }

  /**
   * Counts a request that asks how many tokens a message has. It counts in windows of its own, with the caps
   * of the organization and the key, so that it takes nothing from their requests. A key without a cap has
   * `tokenCountsPerMinute`, which headers show only if it refused. Errors: `rate_limit_exceeded`.
   */
  tokenCount(exchange: AnsweredExchange, key: OrganizationKey): Outcome<null> {
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
  scan(exchange: AnsweredExchange, key: OrganizationKey, units = 1): Outcome<null> {
    return this.#check(exchange, key, this.#scanCheck(key.orgId, units));
  }

  /**
   * Counts only units of the workspace's scans, for scans that run later than they were requested (spec: Scan
   * limits, batch rate usage). Errors: `rate_limit_exceeded`.
   */
  scanUnits(orgId: string, units: number): Outcome<null> {
    const decision = this.#services.windows.consume([this.#scanCheck(orgId, units)]);
    return decision.admitted ? accept(null) : this.#refuse(["scan"], decision);
  }

  /**
   * Counts a keyless own-keys request by its client's address. Inside the service's namespaces it takes two
   * units (spec: Rate limits 4). Errors: `rate_limit_exceeded`.
   */
  passthrough(exchange: Pick<Exchange, "head" | "remoteAddress" | "keepHeaders">): Outcome<null> {
    const { passthroughWindows, proxies } = this.#services;
    const { path, headers } = exchange.head;
    const address = clientAddress(exchange.remoteAddress, headers, proxies);
    const units = inServiceNamespace(path) ? 2 : 1;
    const limit = passthroughRequestsPerWindow;
    const decision = passthroughWindows.consume([{ id: limitedNetwork(address), limit, units }]);
    if (!decision.admitted) return this.#refuse(["passthrough"], decision);
    const [state] = decision.states;
    if (state !== undefined) exchange.keepHeaders(scopedHeaders(state, "passthrough-ip"));
    return accept(null);
  }

  /**
   * Counts an attempt to sign in, by its client's address; attempts that succeed count too. Errors:
   * `rate_limit_exceeded`.
   */
  signIn(exchange: Pick<Exchange, "head" | "remoteAddress">): Outcome<null> {
    const { passthroughWindows, proxies } = this.#services;
    const address = clientAddress(exchange.remoteAddress, exchange.head.headers, proxies);
    const check = { id: `sign_in ${limitedNetwork(address)}`, limit: signInsPerMinute };
    const decision = passthroughWindows.consume([check]);
    return decision.admitted ? accept(null) : this.#refuse(["sign_in"], decision);
  }

  /** `unshown`: a window that headers show only if it refused. `windows` begins the names of the others. */
  #check(
    exchange: AnsweredExchange,
    key: OrganizationKey,
    unshown: RateCheck | null,
    windows = "",
  ): Outcome<null> {
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
    const decision = this.#services.windows.consume(checks);
    if (!decision.admitted) return this.#refuse(kinds, decision);
    const stateOf = (kind: RateLimitKind): RateState | undefined =>
      decision.states[kinds.indexOf(kind)];
    const headers = admittedHeaders(stateOf("org"), stateOf("key"));
    if (headers.length > 0) exchange.keepHeaders(headers);
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
