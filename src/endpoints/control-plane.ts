import { refuse } from "../contract/errors.ts";
import { controlPlaneReadsMax } from "../contract/limits.ts";
import { formatUsd, zeroUsd } from "../contract/money.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import {
  findOrganizationKey,
  keyFirst,
  type FindKey,
  type OrganizationKey,
} from "../pipeline/caller/authenticate.ts";
import { readSlots } from "../pipeline/caller/credential-slots.ts";
import type {
  Answer,
  Attempt,
  Exchange,
  Forward,
  NamedUpstream,
  RelayPlan,
  RequestHead,
} from "../exchange/exchange.ts";
import { passedHeaders } from "../exchange/forward-headers.ts";
import type { Limited } from "../pipeline/limits/rate-limits.ts";
import { RequestRecord, sinceArrivalMs, type Records } from "../pipeline/record/record.ts";
import { serve } from "../pipeline/serve.ts";
import { jsonAnswer } from "../exchange/refusal.ts";
import { holdsServiceKey, percentDecoded } from "../exchange/service-key-text.ts";
import { clientAnswer } from "../pipeline/upstream/upstream-answer.ts";
import { controlPlaneCall } from "../pipeline/upstream/upstream-request.ts";

export interface ControlPlaneServices {
  /** Paths. A `*` at the end stands for everything below. */
  readonly paths: readonly string[];
  /** The provider that has the settings. */
  readonly upstream: NamedUpstream;
  readonly findKey: FindKey;
  /** Errors: `rate_limit_exceeded`. */
  readonly limit: (exchange: Exchange, key: OrganizationKey) => Limited;
  readonly forward: Forward;
  readonly records: Records;
  /** The maximum number of reads at once. */
  readonly readsMax?: number;
}

/**
 * Reads of managed policies and account settings, which are in the caller's own account at the provider
 * (spec: Authentication 6). They take both credentials: the service key in the bearer slot says who asks, and
 * the provider's key in `x-api-key` says whose account it is. Only the provider's key is forwarded. Nothing
 * is billed, because no model is called. Nothing is scanned, because there is no body.
 */
export class ControlPlane {
  readonly #services: ControlPlaneServices;
  readonly #readsMax: number;
  #reads = 0;

  constructor(services: ControlPlaneServices) {
    this.#services = services;
    this.#readsMax = services.readsMax ?? controlPlaneReadsMax;
  }

  /**
   * True if a request's path is listed. A path that another server might shorten or split differently (dots,
   * empty segments, encoded slashes) never counts as listed.
   */
  covers(path: string): boolean {
    return !isAmbiguous(path) && this.#services.paths.some((listed) => isUnder(path, listed));
  }

  /** Serves a request whose path is covered. */
  async serve(exchange: Exchange): Promise<void> {
    const record = new RequestRecord("control_plane");
    record.ownKeys = true;
    await serve(record, exchange, this.#services, (findKey) =>
      this.#read(exchange, findKey, record),
    );
  }

  async #read(exchange: Exchange, findKey: FindKey, record: RequestRecord): Promise<Outcome<null>> {
    const { limit, forward, upstream } = this.#services;
    const { head } = exchange;
    const serviceKey = serviceKeyOf(head);
    if (!serviceKey.ok) return keyFirst(head, findKey, serviceKey);
    if (head.method !== "GET" && head.method !== "HEAD") {
      return refuse("method_not_allowed", "The provider's settings can only be read here.", {
        headers: ["Allow", "GET, HEAD"],
      });
    }
    const key = findOrganizationKey(serviceKey.value, findKey);
    if (!key.ok) return key;
    const limiting = limit(exchange, key.value);
    const limited = limiting instanceof Promise ? await limiting : limiting;
    if (!limited.ok) return limited;
    if (this.#reads >= this.#readsMax) return busy;
    this.#reads += 1;
    try {
      record.attempts = 1;
      const attempt = await forward(controlPlaneCall(head, upstream), planFor(head), exchange);
      record.upstreamMs = sinceArrivalMs(exchange);
      return finish(attempt, exchange, record);
    } finally {
      this.#reads -= 1;
    }
  }
}

/** `GET /api/hello`: client tooling calls it to see that its provider is there. Public. */
export function helloAnswer(): Answer {
  return jsonAnswer('{"message":"hello"}');
}

/** Errors: `control_plane_credential_required` unless both credentials stand in their slots. */
function serviceKeyOf(head: RequestHead): Outcome<string> {
  const slots = readSlots(head);
  if (!slots.ok) return slots;
  const { bearer, xApiKey, service } = slots.value;
  const hasBoth =
    bearer !== undefined &&
    holdsServiceKey(bearer) &&
    xApiKey !== undefined &&
    !holdsServiceKey(xApiKey);
  if (!hasBoth) return credentialRequired;
  if (service !== undefined && service !== bearer) {
    return refuse("invalid_key", "Two different service keys were sent.");
  }
  if (holdsServiceKey(head.path)) {
    return refuse("invalid_request", "A service key in an address is not forwarded.");
  }
  return accept(bearer);
}

function finish(attempt: Attempt, exchange: Exchange, record: RequestRecord): Outcome<null> {
  const noted = record.attempted(attempt);
  if ("over" in noted) return noted.over;
  const answer = clientAnswer(noted.buffered, exchange.head.method, null, true);
  if (!answer.ok) return answer;
  record.errorCode = "upstream_error";
  record.end = "complete";
  exchange.respond(answer.value);
  return accept(null);
}

const ours = [
  ...["X-Svc-Cost-Calculation-Status", "non_billable"],
  ...["X-Svc-Cost-Usd", formatUsd(zeroUsd)],
];

function planFor({ method }: RequestHead): RelayPlan {
  return {
    wire: null,
    bufferJson: false,
    drainWithoutClient: false,
    observer: null,
    answerHeaders: (headers) => passedHeaders(method, headers, ours),
  };
}

const credentialRequired = refuse(
  "control_plane_credential_required",
  "The provider's settings need both keys: the service key as Authorization: Bearer, your own provider key as x-api-key.",
);

const busy = refuse("control_plane_busy", "Too many settings are being read at once; try again.", {
  retryAfterSeconds: 1,
});

function isUnder(path: string, listed: string): boolean {
  return listed.endsWith("/*")
    ? path.length >= listed.length && path.startsWith(listed.slice(0, -1))
    : path === listed;
}

function isAmbiguous(path: string): boolean {
  // Checks for a slash or backslash after a percent sign, and for `;`, where some servers cut segments.
  const decoded = percentDecoded(path);
  if (/[\\;]/.test(decoded) || /%(?:25)*(?:2f|5c)/i.test(path)) return true;
  const segments = decoded.split("/").slice(1);
  return segments.some((segment, i) => {
    if (segment === "." || segment === "..") return true;
    return segment === "" && i < segments.length - 1;
  });
}
