import type { StreamObserver } from "../../exchange/exchange.ts";
import type { UsageTap } from "./usage-tap.ts";

/**
 * Shows a stream's usage to the tap. `hide`: the client did not ask for it, so the chunk that brings
 * nothing else is kept from it (design section 5).
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

/** A chunk without choices that has a usage object: what `include_usage` adds to a stream. */
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
