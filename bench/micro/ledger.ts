import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PriceCatalog } from "../../src/billing/catalog.ts";
import { costOf } from "../../src/billing/cost.ts";
import { readSeedPrices } from "../../src/billing/seed-prices.ts";
import { microUsd } from "../../src/contract/money.ts";
import { Payment } from "../../src/pipeline/money/payment.ts";
import { quote } from "../../src/pipeline/money/quote.ts";
import { RequestRecord } from "../../src/pipeline/record/record.ts";
import { readJsonAnswerUsage } from "../../src/pipeline/money/usage-reader.ts";
import { openLedger, type OpenedLedger } from "../../src/store/embedded/ledger/open-ledger.ts";
import { openStore } from "../../src/store/embedded/store.ts";
import { accepted } from "./accepted.ts";
import { openAiCandidates } from "./candidates.ts";
import { inspected } from "./inspected.ts";
import type { OpenSuite, Suite } from "./suite.ts";
import { answerUsage, chatBody } from "./texts.ts";
import { threadTime } from "./timing.ts";

/** The cost of money for the loop, with its records in the real journal and LMDB. */
export const ledgerSuite: Suite = { id: "ledger", group: "Holds and debits", open };

const orgId = "org_bench";
const paidBy = { apiKeyId: "key_bench", team: null };
const requestsPerFlush = 200;

async function open(): Promise<OpenSuite> {
  const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
  const opened = await openStore({ dataDir: directory });
  if (!opened.ok) throw new Error(opened.fault);
  const books = accepted(
    await openLedger(opened.value, { billingUrl: () => "", onFailure: console.error }),
  );
  await books.ledger.topUp({
    orgId,
    amount: microUsd(10n ** 12n),
    type: "top_up",
    idempotencyKey: "bench",
  });
  const note = `the loop's thread alone, a flush every ${requestsPerFlush}`;
  const told = (label: string) => ({ label, note, per: requestsPerFlush });
  const inBatches = (request: () => void) => async (): Promise<void> => {
    for (let made = 0; made < requestsPerFlush; made += 1) request();
    await books.journal.flushedAll(10_000);
  };
  return {
    pieces: [
      threadTime("hold-debit", told("Hold + debit with their events"), inBatches(holding(books))),
      threadTime("payment", told("Quote + hold + usage + debit"), inBatches(paying(books))),
    ],
    close: async () => {
      await books.close();
      await opened.value.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** One hold and its end, as in a request. */
function holding({ ledger }: OpenedLedger): () => void {
  const estimate = microUsd(20_000n);
  const charge = {
    cost: microUsd(31n),
    catalogVersion: "bench",
    usage: { input: 10, output: 20 },
  };
  let requests = 0;
  return () => {
    const requestId = `hold-${++requests}`;
    const hold = accepted(
      ledger.hold({ requestId, orgId, by: paidBy, estimate, isLive: () => true }),
    );
    ledger.settle(hold, charge, []);
  };
}

/**
 * Everything that a pay-through request does for its money, from the inspected body to the debit.
 */
function paying({ ledger }: OpenedLedger): () => void {
  const catalog = new PriceCatalog(readSeedPrices(), {});
  const at = Date.parse("2026-11-01T12:00:00Z");
  const body = inspected(chatBody(1_024));
  const content = JSON.stringify("It was a dark and stormy night. ".repeat(30));
  const answer = Buffer.from(
    `{"id":"chatcmpl-1","object":"chat.completion","choices":[{"index":0,"message":{"content":${content}}}],${answerUsage}}`,
  );
  const candidates = openAiCandidates();
  const payments = { ledger, findOrganization: () => undefined };
  let requests = 0;
  return () => {
    const { estimate, candidates: priced } = accepted(
      quote(candidates, "chat", body, (...model) => catalog.priceOf(...model), at),
    );
    const requestId = `payment-${++requests}`;
    const payer = { requestId, orgId, record: new RequestRecord("chat") };
    const payment = accepted(Payment.open(payments, payer, estimate));
    payment.settle(costOf(readJsonAnswerUsage("chat", answer), priced[0]?.price, at));
    payment.close();
  };
}
