import { accept, type Outcome } from "../../contract/outcome.ts";
import { catalogJson } from "../../workers/pool/catalog.ts";
import { authenticate, type FindKey } from "../../pipeline/caller/authenticate.ts";
import type { Answer, RequestHead } from "../../exchange/exchange.ts";
import { jsonAnswer } from "../../exchange/refusal.ts";

/**
 * `GET /v1/security/detectors`: the possible values of `entity_type` and `label` (design section 7). Errors:
 * those of authentication.
 */
export async function listDetectors(head: RequestHead, findKey: FindKey): Promise<Outcome<Answer>> {
  const caller = authenticate(head, findKey);
  if (!caller.ok) return caller;
  return accept(jsonAnswer(await catalogJson()));
}
