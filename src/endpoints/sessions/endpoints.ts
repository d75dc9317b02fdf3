import { refuse } from "../../contract/errors.ts";
import type { ApiKey } from "../../contract/identity.ts";
import {
  refusedSignInsNotedPerMinute,
  sessionIdleMs,
  sessionMsMax,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { OpenSession } from "../../contract/keys-api/session.ts";
import { SchemaReader } from "../../contract/schema-reader.ts";
import type { Answer, Exchange } from "../../exchange/exchange.ts";
import { namesGateway } from "../../exchange/host-check.ts";
import { readBearer } from "../../pipeline/caller/credential-slots.ts";
import type { FindKey } from "../../pipeline/caller/authenticate.ts";
import type { RateLimits } from "../../pipeline/limits/rate-limits.ts";
import { RequestRecord } from "../../pipeline/record/record.ts";
import type { RouteTable } from "../../pipeline/routes.ts";
import { serve, type FrameServices } from "../../pipeline/serve.ts";
import type { Session, Sessions } from "../../store/embedded/sessions/sessions.ts";
import type { Spender } from "../../store/ledger/ledger.ts";
import { takeObject } from "../keys-api/endpoint.ts";
import {
  isFromDashboard,
  sessionSecretsIn,
  setCookie,
  type DashboardAddress,
} from "./session-credential.ts";

export interface SessionServices extends FrameServices {
  readonly sessions: Sessions;
  readonly address: DashboardAddress;
  /** The names besides addresses and `localhost` at which a browser may sign in. */
  readonly hosts: readonly string[];
  readonly rateLimits: Pick<RateLimits, "signIn">;
  /** Takes the events of refused attempts. */
  readonly ledger: Pick<Spender, "record">;
}

/** Signing in to the dashboard, asking who is signed in, and signing out. */
export function sessionRoutes(services: SessionServices): RouteTable {
  const refusals = new NotedRefusals(services.ledger);
  const on =
    (
      run: (
        exchange: Exchange,
        findKey: FindKey,
        record: RequestRecord,
      ) => Promise<Outcome<Answer>>,
    ) =>
    (exchange: Exchange): Promise<void> => {
      const record = new RequestRecord("keys");
      return serve(record, exchange, services, (findKey) => run(exchange, findKey, record));
    };
  return {
    "/api/v1/gateway/sessions": {
      POST: on((exchange, findKey, record) =>
        signIn(exchange, findKey, record, services, refusals),
      ),
    },
    "/api/v1/gateway/sessions/current": {
      GET: on((exchange, findKey) => Promise.resolve(current(exchange, findKey, services))),
      DELETE: on((exchange, findKey) => signOut(exchange, findKey, services)),
    },
  };
}

/**
 * Exchanges a key for a session. Errors: `rate_limit_exceeded`, `forbidden` for a page of another site and for a
 * `Host` that is not the dashboard's, `invalid_request`, those of `FindKey`, `internal_error`.
 */
async function signIn(
  exchange: Exchange,
  findKey: FindKey,
  record: RequestRecord,
  services: SessionServices,
  refusals: NotedRefusals,
): Promise<Outcome<Answer>> {
  const limiting = services.rateLimits.signIn(exchange);
  const limited = limiting instanceof Promise ? await limiting : limiting;
  if (!limited.ok) return limited;
  if (!isFromDashboard({ ...exchange.head, method: "GET" }, services.address)) return foreignPage;
  if (!namesGateway(exchange.head.headers, services.hosts)) return foreignHost;
  const body = await takeObject(exchange, record);
  if (!body.ok) return body;
  const read = openBody.read(body.value);
  if (!read.ok) return read;
  const { key: secret } = read.value;
  // A session can't open another one: it would outlive its own end.
  const found = sessionSecretsIn(secret) === null ? findKey(secret) : noKey;
  if (!found.ok) {
    refusals.note(exchange.requestId);
    return found;
  }
  const opened = await services.sessions.open(found.value, secret, exchange.requestId);
  if (!opened.ok) return opened;
  const { cookie, token } = opened.value;
  const answer = shown(opened.value, { token }, 201);
  const cookieHeader = setCookie(services.address, cookie, sessionMsMax / 1_000);
  return accept({ ...answer, headers: [...answer.headers, "Set-Cookie", cookieHeader] });
}

/** Errors: `invalid_key` without a session, `auth_unavailable`. */
function current(
  { head }: Exchange,
  findKey: FindKey,
  { sessions }: SessionServices,
): Outcome<Answer> {
  const secrets = secretsOf(head.headers, findKey);
  if (!secrets.ok) return secrets;
  const found = sessions.find(secrets.value);
  return found.ok ? accept(shown(found.value, {}, 200)) : found;
}

/** Errors: those of `current`, `internal_error`. */
async function signOut(
  { head, requestId }: Exchange,
  findKey: FindKey,
  { sessions, address }: SessionServices,
): Promise<Outcome<Answer>> {
  const secrets = secretsOf(head.headers, findKey);
  if (!secrets.ok) return secrets;
  const closed = await sessions.close(secrets.value, requestId);
  if (!closed.ok) return closed;
  const headers = ["Set-Cookie", setCookie(address, "", 0), ...notStored];
  return accept({ status: 204, headers, body: "" });
}

/** Also has `findKey` note whose request this is. */
function secretsOf(headers: Exchange["head"]["headers"], findKey: FindKey) {
  const bearer = readBearer(headers);
  if (!bearer.ok) return bearer;
  const secrets = bearer.value === undefined ? null : sessionSecretsIn(bearer.value);
  if (bearer.value === undefined || secrets === null) return noSession;
  const found = findKey(bearer.value);
  return found.ok ? accept(secrets) : found;
}

function shown(
  { id, key, openedAtMs, endsAtMs }: Session,
  secrets: { readonly token?: string },
  status: number,
): Answer {
  const data = {
    id,
    ...secrets,
    key: keyShown(key),
    openedAt: new Date(openedAtMs).toISOString(),
    endsAt: new Date(endsAtMs).toISOString(),
    idleSeconds: sessionIdleMs / 1_000,
  };
  return { status, headers: [...jsonType, ...notStored], body: JSON.stringify({ data }) };
}

function keyShown({ id, name, label, role, orgId }: ApiKey) {
  return { id, name, label, role, orgId };
}

const openBody = new SchemaReader(OpenSession);
const jsonType = ["Content-Type", "application/json"];
const notStored = ["Cache-Control", "no-store"];

const foreignPage = refuse("forbidden", "Only the dashboard's own page may sign in.");
const foreignHost = refuse(
  "forbidden",
  "The Host header does not name this dashboard; see dashboard.publicUrl and network.allowedHosts.",
);
const noKey = refuse("invalid_key", "The service key is missing, invalid or revoked.");
const noSession = refuse("invalid_key", "There is no session; sign in first.");

/** Notes refused attempts in the audit log, a bounded number of them in a minute. */
class NotedRefusals {
  readonly #ledger: Pick<Spender, "record">;
  #sinceMs = -Infinity;
  #noted = 0;

  constructor(ledger: Pick<Spender, "record">) {
    this.#ledger = ledger;
  }

  note(requestId: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs >= 60_000) [this.#sinceMs, this.#noted] = [nowMs, 0];
    if (this.#noted >= refusedSignInsNotedPerMinute) return;
    this.#noted += 1;
    this.#ledger.record([
      {
        eventType: "session.refused",
        message: "A sign-in with a key that does not work was refused.",
        orgId: null,
        requestId,
        data: {},
      },
    ]);
  }
}
