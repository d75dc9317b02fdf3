import { refuse } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Wire } from "../../contract/wire.ts";
import type { InspectedBody } from "../body/inspect.ts";
import { stateIdsOf } from "./state-ids.ts";

/**
 * Refuses ids of what the provider stores (`not_found`): organizations share the account, and nothing says
 * here whose they are.
 */
export function checkState(wire: Wire, body: InspectedBody): Outcome<null> {
  const [first] = stateIdsOf(wire, body);
  if (first === undefined) return accept(null);
  return refuse(
    "not_found",
    `The id in "${first.param}" is not known. Send the content itself: what the provider stores is not shared between organizations.`,
    { details: { param: first.param } },
  );
}
