import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { Wire } from "../contract/wire.ts";
import { foldCase } from "../json/fold-case.ts";
import type { JsonType } from "../json/scanner.ts";
import type { InspectedBody } from "./inspect.ts";

interface Allowed {
  readonly types: readonly JsonType[];
  readonly what: string;
}

/** What a chat request asks for a stream with. */
const streamMembers: ReadonlyMap<string, Allowed> = new Map([
  ["stream", { types: ["true", "false", "null"], what: "a boolean" }],
  ["stream_options", { types: ["object", "null"], what: "an object" }],
]);

/**
 * Some providers read names in any case, and `"true"` or `1` as true. A stream that we do not see asked
 * for would come without its usage and be free, so what one could read there and another not is refused
 * (`invalid_request`). Messages tell their usage unasked.
 */
export function checkStreamMembers(wire: Wire, { topLevel }: InspectedBody): Outcome<null> {
  if (wire !== "chat") return accept(null);
  for (const { name, type } of topLevel.members) {
    const folded = foldCase(name);
    const allowed = streamMembers.get(folded);
    if (allowed === undefined) continue;
    const details = { details: { param: name } };
    if (name !== folded) {
      return refuse(
        "invalid_request",
        `The member "${name}" must be spelled "${folded}".`,
        details,
      );
    }
    if (!allowed.types.includes(type)) {
      return refuse("invalid_request", `The member "${name}" must be ${allowed.what}.`, details);
    }
  }
  return accept(null);
}
