import { PriceCatalog } from "../../src/billing/catalog.ts";
import { costOf } from "../../src/billing/cost.ts";
import { readSeedPrices } from "../../src/billing/seed-prices.ts";
import { worstCaseMicroUsd } from "../../src/billing/worst-case.ts";
import { readWorstCaseRequest } from "../../src/pipeline/money/cost-bounds.ts";
import { readJsonAnswerUsage } from "../../src/pipeline/money/usage-reader.ts";
import { accepted } from "./accepted.ts";
import { inspected } from "./inspected.ts";
import type { OpenSuite, Suite } from "./suite.ts";
import { answerUsage, chatBody } from "./texts.ts";
import { time } from "./timing.ts";

/** The arithmetic of money for a request: the worst case before it, usage and cost after it. */
export const billingSuite: Suite = { id: "billing", group: "Prices and costs", open };

function open(): OpenSuite {
  const catalog = new PriceCatalog(readSeedPrices(), {});
  const at = Date.parse("2026-11-01T12:00:00Z");
  const body = inspected(chatBody(1_024));
  const content = JSON.stringify("It was a dark and stormy night. ".repeat(30));
  const answer = Buffer.from(
    `{"id":"chatcmpl-1","object":"chat.completion","created":1741569952,"model":"gpt-5.1","choices":[{"index":0,"message":{"role":"assistant","content":${content},"refusal":null},"finish_reason":"stop"}],${answerUsage},"service_tier":"default"}`,
  );
  const price = accepted(catalog.priceOf("openai", "gpt-5.1", at));
  const request = readWorstCaseRequest("chat", body);
  const report = readJsonAnswerUsage("chat", answer);
  const pieces = [
    time("price", { label: "Find the price" }, () => catalog.priceOf("openai", "gpt-5.1", at)),
    time("bounds", { label: "Read the bounds of a 1 KB request" }, () =>
      readWorstCaseRequest("chat", body),
    ),
    time("worst", { label: "Worst case" }, () => worstCaseMicroUsd(request, price, at)),
    time("usage", { label: "Read the usage of a JSON answer" }, () =>
      readJsonAnswerUsage("chat", answer),
    ),
    time("cost", { label: "Cost" }, () => costOf(report, price, at)),
    time("exchange", { label: "All of a JSON exchange" }, () => {
      const found = accepted(catalog.priceOf("openai", "gpt-5.1", at));
      worstCaseMicroUsd(readWorstCaseRequest("chat", body), found, at);
      return costOf(readJsonAnswerUsage("chat", answer), found, at);
    }),
  ];
  return { pieces };
}
