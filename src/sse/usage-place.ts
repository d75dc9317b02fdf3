const usageKey = Buffer.from('"usage"');
const shortestUsageBytes = '"usage":{}'.length;
const lowerN = 0x6e;
const colon = 0x3a;
const space = 0x20;

/**
 * Whether an event's payload, or some whole lines of a stream, contain a usage that is not `null`: with
 * `include_usage` every chunk has the member, all but one of them `null`.
 */
export function mayHaveUsage(payload: Buffer): boolean {
  return placeOfUsage(payload, 0) >= 0;
}

/** The start of the first such usage at or after `from`; -1: there is none. */
export function placeOfUsage(payload: Buffer, from: number): number {
  let at = payload.indexOf(usageKey, from);
  while (at !== -1) {
    let value = at + usageKey.length;
    while (payload[value] === space || payload[value] === colon) value++;
    if (payload[value] !== lowerN) return at;
    // It is the last member, as a rule; another search would cost as much as the first.
    if (payload.length - value < shortestUsageBytes) return -1;
    at = payload.indexOf(usageKey, value);
  }
  return -1;
}
