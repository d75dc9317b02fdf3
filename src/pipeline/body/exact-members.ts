import { refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Wire } from "../../contract/wire.ts";
import { foldCase } from "../../json/fold-case.ts";
import type { JsonType } from "../../json/scanner.ts";
import type { InspectedBody } from "./inspect.ts";

interface Allowed {
  readonly types: readonly JsonType[];
  readonly what: string;
}

/** They choose the rates of the answer. A value that is no string names none. */
const tierMembers: ReadonlyMap<string, Allowed | null> = new Map([
  ["service_tier", null],
  ["speed", null],
  ["inference_geo", null],
]);

/** Messages tell their usage unasked. */
const exactMembers: Readonly<Record<Wire, ReadonlyMap<string, Allowed | null>>> = {
  chat: new Map([
    ...tierMembers,
    ["stream", { types: ["true", "false", "null"], what: "a boolean" }],
    ["stream_options", { types: ["object", "null"], what: "an object" }],
  ]),
  messages: tierMembers,
};

/**
 * Some providers read names in any case, and `"true"` or `1` as true. A stream that we do not see asked
 * for would come without its usage, and a tier that we do not see may have no rates: both would be free.
 * So what one provider could read there and another not is refused (`invalid_request`).
 */
export function checkExactMembers(wire: Wire, { topLevel }: InspectedBody): Outcome<null> {
  for (const { name, type } of topLevel.members) {
    const folded = foldCase(name);
    const allowed = exactMembers[wire].get(folded);
    if (allowed === undefined) continue;
    if (name !== folded) {
      return refuseParameter(name, `The member "${name}" must be spelled "${folded}".`);
    }
    if (allowed !== null && !allowed.types.includes(type)) {
      return refuseParameter(name, `The member "${name}" must be ${allowed.what}.`);
    }
  }
  return accept(null);
}
