import type { Wire } from "../../src/contract/wire.ts";
import { header, type FlatHeaders } from "../../src/exchange/exchange.ts";
import { modelRequest as serveModelRequest } from "../../src/pipeline/request.ts";
import { securityScan } from "../../src/endpoints/scan/scan.ts";
import { JournalClosed } from "../../src/store/journal/journal.ts";
import { SimulatedExchange } from "./simulated-exchange.ts";
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
  const kind = random.pick("chat", "chat", "messages", "scan");
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
  if (kind !== "scan") world.usage.sent(orgId, requestId);
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
      world.oracle.finished(gateway_.books, orgId, requestId);
    },
    (error: unknown) => {
      // A stop here gives what is in flight no time, and nothing of it was promised.
      if (error instanceof JournalClosed) return;
      world.oracle.fail(`${requestId} threw ${textOf(error)}`);
    },
  );
}

function modelRequest(world: World, wire: Wire): readonly [path: string, body: string] {
  const random = world.random;
  const path = wire === "chat" ? "/v1/chat/completions" : "/v1/messages";
  const body = {
    max_tokens: random.integer(1, 3_000),
    stream: random.chance(0.5),
    model: random.pick("p/m", "m"),
    messages: [{ role: "user", content: "a".repeat(random.integer(1, 60)) }],
  };
  return [path, JSON.stringify(body)];
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
