import { refuse } from "../contract/errors.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { OrganizationKey } from "./authenticate.ts";
import { header, type RelayPlan } from "./exchange.ts";
import { tryInTurn } from "./failover.ts";
import { answerHeaders } from "./forward-headers.ts";
import { mayUseModel } from "./models.ts";
import { clear, finish, takeJson, type Passage } from "./passage.ts";
import { providerRequestJob } from "./screen.ts";
import { accountCall } from "./upstream-request.ts";

/** A request that the service pays the provider for: route → screen → forward → answer. */
export async function payThrough(passage: Passage, key: OrganizationKey): Promise<Outcome<null>> {
  const { exchange, wire, services, record } = passage;
  if (wire === null) return refuse("unknown_route", "There is no such endpoint.");
  const inspected = await takeJson(passage);
  if (!inspected.ok) return inspected;
  const { bytes, model, provider } = inspected.value;
  if (model === null) {
    return refuse("invalid_request", 'The member "model" must be a string.', {
      details: { param: "model" },
    });
  }
  const named = header(exchange.head.headers, "x-svc-provider") ?? provider?.value ?? null;
  const candidates = services.accounts.route(wire, model.value, named, (id, aliases) =>
    mayUseModel(key, id, aliases),
  );
  if (!candidates.ok) return candidates;
  const job = providerRequestJob(bytes, wire, services.policy, key.orgId);
  const cleared = await clear(passage, job);
  if (!cleared.ok) return cleared;
  const plan: RelayPlan = {
    wire,
    holdJson: true,
    drainWithoutClient: true,
    observer: null,
    answerHeaders: (upstream) => answerHeaders(upstream, []),
  };
  const attempt = await tryInTurn(candidates.value, record, (candidate) =>
    services.forward(
      accountCall(exchange.head, wire, inspected.value, model, candidate),
      plan,
      exchange,
    ),
  );
  return finish(passage, attempt, []);
}
