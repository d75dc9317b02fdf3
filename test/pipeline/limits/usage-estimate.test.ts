import { expect, test } from "vitest";
import { choicesMax, outputTokensAssumed } from "../../../src/contract/limits.ts";
import { JsonScanner } from "../../../src/json/scanner.ts";
import { usageEstimate } from "../../../src/pipeline/limits/usage-estimate.ts";

test.each<[string, number]>([
  [`{}`, outputTokensAssumed],
  [`{"max_tokens":50}`, 50],
  [`{"max_tokens":50,"n":3}`, 150],
  [`{"max_tokens":50,"max_output_tokens":70}`, 70],
  [`{"max_tokens":1,"Max_Completion_Tokens":9}`, outputTokensAssumed],
  // With own keys they reach the provider, whatever they are.
  [`{"max_tokens":50,"n":"3"}`, 50 * choicesMax],
  [`{"max_tokens":1e9,"n":9007199254740991}`, 1e9 * choicesMax],
])("%s may use %d tokens beside its bytes", (text, tokens) => {
  const bytes = Buffer.from(text);
  const topLevel = new JsonScanner().finish(bytes, bytes.length);
  if ("reason" in topLevel) throw new Error(topLevel.reason);
  expect(usageEstimate("chat", 7, { bytes, topLevel }, 5n)).toEqual({
    costMicroUsd: 5n,
    tokens: 7n + BigInt(tokens),
    requests: 1n,
  });
});

test("of what is no JSON object no cap is known", () => {
  expect(usageEstimate("chat", 7, null, 0n).tokens).toBe(7n + BigInt(outputTokensAssumed));
});
