import type { Outcome } from "../contract/outcome.ts";
import { wireOfPath } from "../contract/wire.ts";
import { identify, refusedCaller } from "./caller/authenticate.ts";
import { readCacheWish } from "./cache/cache-wish.ts";
import { RecordedExchange } from "./record/recorded-exchange.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { ownKeys } from "./own-keys.ts";
import { UsageHold } from "./limits/usage-hold.ts";
import type { GatewayServices, Passage } from "./passage.ts";
import { payThrough } from "./pay-through.ts";
import { RequestRecord } from "./record/record.ts";
import { conclude, recorded } from "./recorded.ts";

/**
 * A model request, left to right: authenticate → rate limits → inspect → screen → route → usage
 * limits → forward → answer → record. Each step returns its value or the refusal that ends the request.
 */
export async function gateway(socket: Exchange, services: GatewayServices): Promise<void> {
  const exchange = new RecordedExchange(socket);
  const wire = wireOfPath.get(exchange.head.path) ?? null;
  const record = new RequestRecord(wire ?? "passthrough");
  const usage = new UsageHold(services.usageLimits);
  await recorded(record, exchange, services.records, async () => {
    const outcome = await serve({ exchange, wire, services, record, usage }).finally(() =>
      usage.end(record.cost),
    );
    conclude(record, exchange, outcome);
    record.firstByteMs = exchange.firstByteMs;
    record.bodies = { request: exchange.requestBody, response: exchange.responseBody };
  });
}

async function serve(passage: Passage): Promise<Outcome<null>> {
  const { exchange, services, record } = passage;
  const caller = identify(exchange.head, services.findKey, services.keylessPassthrough);
  // Whoever sends credentials that don't fit together is to be found by the record.
  const known = caller.ok ? caller.value.key : refusedCaller(exchange.head, services.findKey);
  record.orgId = known?.orgId ?? null;
  record.apiKeyId = known?.id ?? null;
  if (!caller.ok) return caller;
  const { key, credentials } = caller.value;
  record.ownKeys = credentials.mode !== "pay_through";
  if (key === null) {
    const limited = services.rateLimits.passthrough(exchange);
    return limited.ok ? ownKeys(passage, null, credentials.upstreamUrl, null) : limited;
  }
  const limited = services.rateLimits.request(exchange, key);
  if (!limited.ok) return limited;
  const wish = readCacheWish(exchange.head.headers, key.responseCache);
  if (!wish.ok) return wish;
  return credentials.mode === "pay_through"
    ? payThrough(passage, key, wish.value)
    : ownKeys(passage, key, credentials.upstreamUrl, wish.value);
}
