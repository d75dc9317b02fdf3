/**
 * What money costs the loop, its records in the real journal and LMDB. By hand:
 * `node bench/micro/ledger.ts`. Target: 10 µs for a hold and its debit.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PriceCatalog } from "../../src/billing/catalog.ts";
import { costOf } from "../../src/billing/cost.ts";
import { readSeedPrices } from "../../src/billing/seed-prices.ts";
import { microUsd } from "../../src/contract/money.ts";
import type { Outcome } from "../../src/contract/outcome.ts";
import { Accounts } from "../../src/pipeline/accounts.ts";
import { Inspection } from "../../src/pipeline/inspect.ts";
import { Payment } from "../../src/pipeline/payment.ts";
import { quote } from "../../src/pipeline/quote.ts";
import { RequestRecord } from "../../src/pipeline/record.ts";
import { readJsonAnswerUsage } from "../../src/pipeline/usage-reader.ts";
import { openLedger } from "../../src/store/ledger/open-ledger.ts";
import { openStore } from "../../src/store/store.ts";

const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
const opened = await openStore({ dataDir: directory });
if (!opened.ok) throw new Error(opened.fault);
const books = read(await openLedger(opened.value, { billingUrl: "", onFailure: console.error }));
const { ledger } = books;
const orgId = "org_bench";
await ledger.topUp({
  orgId,
  amount: microUsd(10n ** 12n),
  type: "top_up",
  idempotencyKey: "bench",
});
let requests = 0;
const estimate = microUsd(20_000n);
const charge = {
  cost: microUsd(31n),
  catalogVersion: "bench",
  usage: { input: 10, output: 20 },
};
const requestsPerFlush = 200;
const flushes = 500;

/** One pair, as a request makes it. */
function holdAndDebit(): void {
  const requestId = `request-${++requests}`;
  const hold = read(ledger.hold({ requestId, orgId, estimate, isLive: () => true }));
  ledger.settle(hold, charge, []);
}

const catalog = new PriceCatalog(readSeedPrices(), {});
const at = Date.parse("2026-11-01T12:00:00Z");
const body = Buffer.from(
  JSON.stringify({
    model: "openai/gpt-5.1",
    max_completion_tokens: 1024,
    messages: [
      { role: "system", content: "You are a helpful assistant. ".repeat(6) },
      { role: "user", content: "Tell me a story. ".repeat(20) },
    ],
  }),
);
const answer = Buffer.from(
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { content: "It was a dark and stormy night. ".repeat(30) } }],
    usage: {
      prompt_tokens: 2006,
      completion_tokens: 300,
      total_tokens: 2306,
      prompt_tokens_details: { cached_tokens: 1920 },
      completion_tokens_details: { reasoning_tokens: 192 },
    },
  }),
);
const inspection = new Inspection();
inspection.grown(body, body.length);
const inspected = read(inspection.finish(body));
const accounts = new Accounts([
  {
    name: "openai",
    provider: "openai",
    type: "openai",
    origin: "https://api.openai.com",
    basePath: "",
    wires: ["chat"],
    credential: "secret",
    models: [{ id: "gpt-5.1", alias: null }],
    timeoutsMs: { connect: 1, headers: 1, idle: 1 },
    responseBytesMax: 1,
  },
]);
const candidates = read(accounts.route("chat", "openai/gpt-5.1", null));
const payments = { ledger, findOrganization: () => undefined };

/** All that a pay-through request does for its money, from the inspected body to the debit. */
function payForRequest(): void {
  const { estimate: worst, candidates: priced } = read(
    quote(candidates, "chat", inspected, (...model) => catalog.priceOf(...model), at),
  );
  const payer = { requestId: `request-${++requests}`, orgId, record: new RequestRecord("chat") };
  const payment = read(Payment.open(payments, payer, worst));
  payment.settle(costOf(readJsonAnswerUsage("chat", answer), priced[0]?.price, at));
  payment.close();
}

function read<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return outcome.value;
}

/** CPU time of the loop's thread: appending, and handing batches to the writing thread. */
async function measure(what: string, request: () => void): Promise<void> {
  const before = process.threadCpuUsage();
  for (let i = 0; i < flushes; i += 1) {
    for (let made = 0; made < requestsPerFlush; made += 1) request();
    await books.journal.flushedAll(10_000);
  }
  const { user, system } = process.threadCpuUsage(before);
  const micros = (user + system) / (requestsPerFlush * flushes);
  console.log(`${what}: ${micros.toFixed(2)} µs of the loop`);
}

await measure("warm-up", payForRequest);
await measure("hold + debit with their events", holdAndDebit);
await measure("quote + hold + usage + debit of a request", payForRequest);
await books.close();
await opened.value.close();
rmSync(directory, { recursive: true });
