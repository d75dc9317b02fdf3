import type { StreamObserver } from "../../exchange/exchange.ts";
import type { UsageTap } from "./usage-tap.ts";

/**
 * Shows a stream's usage to the tap. `hide` means that the client did not ask for the usage, so a chunk that
 * brings only the usage is not sent to it (design section 5).
 */
export function usageObserver(tap: UsageTap, hide: boolean): StreamObserver {
  return {
    mayDrop: hide,
    event(payload) {
      tap.push(payload);
      return !hide || !bringsUsageOnly(payload);
    },
  };
}

/**
 * True for a chunk with a usage object and without choices. `include_usage` adds such a chunk to a stream.
 */
function bringsUsageOnly(payload: Buffer): boolean {
  let chunk: unknown;
  try {
    chunk = JSON.parse(payload.toString("utf8"));
  } catch {
    return false;
  }
  if (typeof chunk !== "object" || chunk === null) return false;
  if (!("usage" in chunk) || chunk.usage === null) return false;
  return "choices" in chunk && Array.isArray(chunk.choices) && chunk.choices.length === 0;
}
