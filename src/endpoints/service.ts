import { openApiDocument } from "../openapi/document.ts";
import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { Version } from "../contract/service-schemas.ts";
import type { FindKey } from "../pipeline/caller/authenticate.ts";
import { readBearer } from "../pipeline/caller/credential-slots.ts";
import type { Answer, RequestHead } from "../exchange/exchange.ts";
import type { Metrics } from "../pipeline/record/metrics.ts";
import { jsonAnswer, refusalAnswer } from "../exchange/refusal.ts";

/** The facts that `/readyz` checks. */
export interface Readiness {
  readonly storeOpen: () => boolean;
  /** True if nothing can be stored until a restart. */
  readonly writesHalted: () => boolean;
  /** True if nothing is stored at the moment, and paid work is refused until it is. */
  readonly journalFailing: () => boolean;
  readonly workersUp: () => boolean;
  readonly draining: () => boolean;
}

/** `GET /version`: public. */
export function versionAnswer(version: Version): Answer {
  return jsonAnswer(JSON.stringify(version));
}

let openApi: string | null = null;

/** `GET /openapi.json`: public. */
export function openApiAnswer(): Answer {
  openApi ??= JSON.stringify(openApiDocument());
  return jsonAnswer(openApi);
}

/** `GET /healthz`: the process answers. */
export function aliveAnswer(): Answer {
  return jsonAnswer('{"status":"alive"}');
}

/** `GET /readyz`: 200 while requests may be sent here, else 503 with the reason. */
export function readyAnswer(readiness: Readiness): Answer {
  if (!readiness.storeOpen()) {
    const message = "The store is not open, or this gateway's copy of it is too old to act on.";
    return refusalAnswer(refuse("auth_unavailable", message).refusal);
  }
  if (readiness.writesHalted()) {
    const message = "A write to the store failed; nothing is written until a restart.";
    return refusalAnswer(refuse("auth_unavailable", message).refusal);
  }
  if (readiness.journalFailing()) {
    const message = "The store can't be written at the moment; paid requests are refused.";
    return refusalAnswer(refuse("auth_unavailable", message, { retryAfterSeconds: 1 }).refusal);
  }
  if (readiness.draining()) {
    return refusalAnswer(refuse("auth_unavailable", "The gateway is shutting down.").refusal);
  }
  if (!readiness.workersUp()) {
    return refusalAnswer(refuse("detector_unavailable", "No scan worker is up.").refusal);
  }
  return jsonAnswer('{"status":"ready"}');
}

/** Says whether a request may read the metrics. */
export type CheckReader = (head: RequestHead) => Outcome<unknown>;

/** `GET /metrics`, on the keys API's listener. Errors: those of `checkReader`. */
export async function metricsAnswer(
  head: RequestHead,
  metrics: Pick<Metrics, "expose" | "contentType">,
  checkReader: CheckReader,
): Promise<Outcome<Answer>> {
  const checked = checkReader(head);
  if (!checked.ok) return checked;
  return accept({
    status: 200,
    headers: ["Content-Type", metrics.contentType],
    body: await metrics.expose(),
  });
}

/** Errors: `invalid_key`, `auth_unavailable`, `forbidden`, `invalid_request` for two tokens. */
export function checkOperator({ headers }: RequestHead, findKey: FindKey): Outcome<null> {
  const secret = readBearer(headers);
  if (!secret.ok) return secret;
  if (secret.value === undefined) {
    return refuse("invalid_key", "Metrics need an operator key here.");
  }
  const key = findKey(secret.value);
  if (!key.ok) return key;
  return key.value.role === "operator"
    ? accept(null)
    : refuse("forbidden", "Metrics are for operator keys.");
}
