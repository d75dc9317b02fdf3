import { outputTokensAssumed } from "../../contract/limits.ts";
import type { Wire } from "../../contract/wire.ts";
import type { UsageAmounts } from "../../store/usage-windows.ts";
import { readWorstCaseRequest, type BodyToBound } from "../cost-bounds.ts";

/**
 * What a request may use at most, from its bytes: a token of the input is a byte at least. `body`
 * null: no provider's request is known in it.
 */
export function usageEstimate(
  bytesIn: number,
  wire: Wire | null,
  body: BodyToBound | null,
  costMicroUsd: bigint,
): UsageAmounts {
  const bounds = wire === null || body === null ? null : readWorstCaseRequest(wire, body);
  const output = (bounds?.outputTokensMax ?? outputTokensAssumed) * (bounds?.choices ?? 1);
  return { costMicroUsd, tokens: BigInt(bytesIn) + BigInt(output), requests: 1n };
}
