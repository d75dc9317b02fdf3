import { pino } from "pino";
import { expect, test } from "vitest";
import { resolveAccounts } from "../../src/config/accounts.ts";
import { refuse } from "../../src/contract/errors.ts";
import { accept } from "../../src/contract/outcome.ts";
import { firstPaidModel, warnOfAssumed, warnOfUnpaid } from "../../src/app/paid-models.ts";
import type { FindPrice } from "../../src/pipeline/money/quote.ts";

const priceless = refuse("pricing_unavailable", "It has no price.");
const findPrice: FindPrice = (_provider, model) =>
  model.startsWith("priced")
    ? accept({
        entry: "list/priced",
        isAssumed: model !== "priced",
        source: "configuration",
        catalogVersion: "0",
        contextTokensMax: null,
        outputTokensMax: null,
        periods: [],
      })
    : priceless;

const accounts = resolveAccounts(
  [
    {
      name: "unset",
      type: "openai",
      baseUrl: "http://x",
      apiKey: { env: "NO" },
      models: ["priced"],
    },
    { name: "cloud", type: "bedrock", models: ["priced"] },
    { name: "local", type: "openai", baseUrl: "http://x", models: ["a", "b"] },
    { name: "claude", type: "anthropic", baseUrl: "http://x", models: ["a", "priced-2"] },
  ],
  {},
  [],
);

test("the first model that a key can pay for is of an account that serves, and has a price", () => {
  expect(firstPaidModel(accounts, findPrice, 0)).toEqual({
    id: "claude/priced-2",
    wire: "messages",
  });
  expect(firstPaidModel(accounts.slice(0, 3), findPrice, 0)).toBeNull();
});

function linesOf(warn: typeof warnOfUnpaid, of = accounts): unknown[] {
  const lines: unknown[] = [];
  const logger = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  warn(of, findPrice, 0, logger);
  return lines;
}

test("what nobody can pay for is told, an account a line", () => {
  const lines = linesOf(warnOfUnpaid);
  expect(lines).toMatchObject([
    { account: "unset", error_code: "missing_credentials", variable: "NO" },
    { account: "cloud", error_code: "cloud_sdk_unavailable" },
    { account: "local", error_code: "pricing_unavailable", models: ["a", "b"] },
    { account: "claude", error_code: "pricing_unavailable", provider: "claude", models: ["a"] },
  ]);
  expect(JSON.stringify(lines.at(-1))).toContain("pricing.models sets one");
});

test("a price that is another entry's is told, a model a line, with what sets its own", () => {
  const lines = linesOf(warnOfAssumed, [...accounts, ...accounts]);
  expect(lines).toMatchObject([
    { level: 40, model: "claude/priced-2", assumed_price: "list/priced" },
  ]);
  expect(JSON.stringify(lines)).toContain('pricing.models[\\"claude/priced-2\\"] sets its own');
});
