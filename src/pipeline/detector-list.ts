import { accept, type Outcome } from "../contract/outcome.ts";
import { authenticate, type FindKey } from "./authenticate.ts";
import type { Answer, RequestHead } from "./exchange.ts";
import { jsonAnswer } from "./refusal.ts";

/**
 * `GET /v1/security/detectors`: what `entity_type` and `label` can be (design section 7). Errors:
 * those of authentication.
 */
export async function listDetectors(head: RequestHead, findKey: FindKey): Promise<Outcome<Answer>> {
  const caller = authenticate(head, findKey);
  if (!caller.ok) return caller;
  return accept(jsonAnswer(await catalogJson()));
}

let catalog: string | null = null;

/** The detectors take 0.2 s to load, which a start need not wait for. */
async function catalogJson(): Promise<string> {
  if (catalog !== null) return catalog;
  const { entityCatalog } = await import("../detectors/catalog.ts");
  const data = entityCatalog.map(({ entityType, label, category, description }) => ({
    entity_type: entityType,
    label,
    category,
    description,
  }));
  catalog = JSON.stringify({ data });
  return catalog;
}
