import { expect, test } from "vitest";
import { callsWhileLeased, whileLeased } from "../../src/app/while-leased.ts";
import { accept } from "../../src/contract/outcome.ts";
import type { ApiKey } from "../../src/contract/identity.ts";
import type { Exchange, Forward, RelayPlan, UpstreamCall } from "../../src/exchange/exchange.ts";

test("after the lease no key is found, and no call to a provider begins", async () => {
  const lease = { isOver: false };
  let calls = 0;
  const answered: Forward = () => {
    calls += 1;
    return Promise.resolve({ kind: "abandoned" });
  };
  const forward = callsWhileLeased(lease, answered);
  const findKey = whileLeased(lease, () => accept({ id: "key_1" } as ApiKey));
  const asked = [{} as UpstreamCall, {} as RelayPlan, {} as Exchange] as const;
  expect(findKey("secret").ok).toBe(true);
  await forward(...asked);
  expect(calls).toBe(1);
  // A request that was admitted before: its body was slow, or the process stood still.
  lease.isOver = true;
  expect(findKey("secret")).toMatchObject({ refusal: { code: "auth_unavailable" } });
  const attempt = await forward(...asked);
  expect(calls).toBe(1);
  expect(attempt).toMatchObject({
    ...{ kind: "unsent", untried: true },
    refusal: { code: "auth_unavailable", retryAfterSeconds: 1 },
  });
});

test("a gateway that shares no store waits for nobody", () => {
  const forward: Forward = () => Promise.resolve({ kind: "abandoned" });
  expect(callsWhileLeased(null, forward)).toBe(forward);
});
