import type { Wire } from "../../contract/wire.ts";
import { choicesMax, outputTokensAssumed } from "../../contract/limits.ts";
import type { UsageAmounts } from "../../store/windows/usage-windows.ts";
import { readOutputBounds, type BodyToBound } from "../money/cost-bounds.ts";

/**
 * The most that a request may use, computed from its bytes: an input token has at least one byte. `body` is
 * null if it is no JSON object. Own-keys requests may send any `n`, but no provider gives more than
 * `choicesMax`.
 */
export function usageEstimate(
  wire: Wire | null,
  bytesIn: number,
  body: BodyToBound | null,
  costMicroUsd: bigint,
): UsageAmounts {
  const bounds = body === null ? noBounds : readOutputBounds(wire, body);
  const choices = Math.min(bounds.choices ?? choicesMax, choicesMax);
  const output = (bounds.outputTokensMax ?? outputTokensAssumed) * choices;
  return { costMicroUsd, tokens: BigInt(bytesIn) + BigInt(output), requests: 1n };
}

const noBounds = { outputTokensMax: null, choices: 1 };
