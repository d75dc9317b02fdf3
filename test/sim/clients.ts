import { header, type FlatHeaders } from "../../src/exchange/exchange.ts";
import { modelRequest as serveModelRequest } from "../../src/pipeline/request.ts";
import { securityScan } from "../../src/endpoints/scan/scan.ts";
import { JournalClosed } from "../../src/store/journal/journal.ts";
import { responseIdOf } from "./response-id.ts";
import { SimulatedExchange } from "./simulated-exchange.ts";
import type { ServingThread, SimulatedGateway } from "./simulated-gateway.ts";
import { textOf } from "./text-of.ts";
import type { World } from "./world.ts";

/** Many at once, so that they compete for one balance. */
export function sendBurst(world: World): void {
  const count = world.random.integer(2, 25);
  for (let i = 0; i < count; i += 1) {
    world.time.after(world.random.between(0, 30), "world", () => sendRequest(world));
  }
}

/** A client's request, of any kind. */
export function sendRequest(world: World): void {
  const gateway_ = world.gateway;
  if (gateway_ === null || world.isCalm) return;
  const random = world.random;
  const orgId = world.anyOrganization();
  const requestId = world.newId(orgId);
  const kind = random.pick(...kinds);
  const [path, body] = kind === "scan" ? scanRequest(world, requestId) : modelRequest(world, kind);
  const request = { requestId, secret: `sk-gw-${orgId}`, path, body };
  const exchange = new SimulatedExchange(request, random, world.time, (headers) =>
    answered(world, orgId, requestId, exchange.status, headers),
  );
  world.note(`${requestId} asks ${path} ${body.slice(0, 60)}`);
  if (random.chance(world.weather.clientLeaves)) {
    world.time.after(random.between(0, 600), "process", () => exchange.leave());
  }
  const holder = world.holder(requestId, "request");
  if (kind !== "scan" && kind !== "count_tokens") world.usage.sent(orgId, requestId);
  if (kind === "responses") world.oracle.responses.set(requestId, orgId);
  const thread = random.pick(...gateway_.serving);
  if (thread !== gateway_.serving[0]) world.count("in another thread");
  const served =
    kind === "scan"
      ? securityScan(exchange, thread.scanServices)
      : serveModelRequest(exchange, thread.services);
  served.then(
    () => {
      holder.endedMs = world.time.monotonicMs();
      world.note(`${requestId} is over: ${exchange.status} ${exchange.state}`);
      world.count(`${kind} ${exchange.status}`);
      world.oracle.finished(gateway_.books, orgId, requestId);
      const { status } = exchange;
      if (kind === "responses") {
        responded(world, gateway_, thread, { orgId, requestId, body, status });
      }
    },
    (error: unknown) => {
      // A stop here gives what is in flight no time, and nothing of it was promised.
      if (error instanceof JournalClosed) return;
      world.oracle.fail(`${requestId} threw ${textOf(error)}`);
    },
  );
}

const kinds = [
  "chat",
  "chat",
  "messages",
  "responses",
  "responses",
  "embeddings",
  "count_tokens",
  "scan",
] as const;
type Kind = (typeof kinds)[number];

function modelRequest(
  world: World,
  kind: Exclude<Kind, "scan">,
): readonly [path: string, body: string] {
  const random = world.random;
  const text = "a".repeat(random.integer(1, 60));
  const model = random.pick("p/m", "m");
  const messages = [{ role: "user", content: text }];
  const cap = random.integer(1, 3_000);
  const stream = random.chance(0.5);
  const bodies = {
    chat: { max_tokens: cap, stream, model, messages },
    messages: { max_tokens: cap, stream, model, messages },
    responses: { max_output_tokens: cap, stream, model, input: text, ...previous(world) },
    embeddings: { model, input: text },
    count_tokens: { model, messages },
  };
  const paths = {
    chat: "/v1/chat/completions",
    messages: "/v1/messages",
    responses: "/v1/responses",
    embeddings: "/v1/embeddings",
    count_tokens: "/v1/messages/count_tokens",
  };
  return [paths[kind], JSON.stringify(bodies[kind])];
}

/** Goes on with an answer, of whatever organization it was. */
function previous({ responseIds, random }: World): object {
  if (responseIds.length === 0 || random.chance(0.5)) return {};
  return { previous_response_id: responseIds[random.integer(0, responseIds.length - 1)] };
}

interface Responded {
  readonly orgId: string;
  readonly requestId: string;
  readonly body: string;
  readonly status: number;
}

/**
 * A request of the responses wire is over. If it was charged, its answer's id is known in its thread, to its
 * organization alone, and soon in the others. Nobody has gone on with what another organization has created.
 */
function responded(
  world: World,
  gateway: SimulatedGateway,
  thread: ServingThread,
  { orgId, requestId, body, status }: Responded,
): void {
  const { previous_response_id: previousId } = JSON.parse(body) as {
    readonly previous_response_id?: string;
  };
  // 0: the client has left. 503 comes before anything is looked up, if nothing can be written.
  if (previousId?.startsWith(`resp_${orgId}_`) === true) {
    if (![0, 404, 503].includes(status)) world.count("went on");
  } else if (previousId !== undefined && ![0, 404, 503].includes(status)) {
    world.oracle.fail(`${requestId} went on with ${previousId}: ${status}`);
  }
  const isCharged = (world.oracle.charges.get(requestId) ?? 0n) > 0n;
  // A clock that is set may let the retention pass.
  if (!isCharged || world.weather.clockJumps > 0) return;
  const id = responseIdOf(requestId);
  world.responseIds.push(id);
  for (const one of world.organizations) {
    const isKnown = thread.services.providerState.find(one, id) !== undefined;
    if (isKnown !== (one === orgId)) world.oracle.fail(`${one} knows ${id}: ${isKnown}`);
  }
  for (const { services } of gateway.serving) {
    void services.providerState.caughtUp().then(() => {
      const isKnown = services.providerState.find(orgId, id) !== undefined;
      if (services !== thread.services) world.count(`known elsewhere ${isKnown}`);
    });
  }
}

/** Its text begins with its id, for a scan's job does not tell whose it is. */
function scanRequest(world: World, requestId: string): readonly [path: string, body: string] {
  const input = `${requestId}|${"a".repeat(world.random.integer(1, 500))}`;
  const isWrong = world.random.chance(world.weather.failures);
  const patterns = [{ name: "a", regex: "(", direction: "both", action: "flag" }];
  const body = isWrong ? { input, custom_patterns: patterns } : { input };
  return ["/v1/security/scan", JSON.stringify(body)];
}

function answered(
  world: World,
  orgId: string,
  requestId: string,
  status: number,
  headers: FlatHeaders,
): void {
  const named = (name: string): string | undefined =>
    header(
      headers.map((text, i) => (i % 2 === 0 ? text.toLowerCase() : text)),
      name,
    );
  const debited = named("x-svc-payg-debited-cents");
  const cost = named("x-svc-cost-usd");
  world.note(`${requestId} is answered ${status}, cost ${cost}, debited ${debited}`);
  world.count(`status ${status}`);
  world.knownIds.push(requestId);
  if (debited !== undefined) {
    world.count("promised");
    world.oracle.answered(world.durable, orgId, requestId);
  } else if (cost !== undefined) world.count("not promised");
  const charge = world.oracle.charges.get(requestId);
  if (cost !== undefined && Math.round(Number(cost) * 1e6) !== Number(charge ?? 0n)) {
    world.oracle.fail(`${requestId} is told ${cost}, the provider charged ${charge}`);
  }
}
