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

/** They choose the rates of the answer. A value that is no string names no tier. */
const tierMembers: ReadonlyMap<string, Allowed | null> = new Map([
  ["service_tier", null],
  ["speed", null],
  ["inference_geo", null],
]);

/** The messages wire reports usage without being asked. */
const exactMembers: Readonly<Record<Wire, ReadonlyMap<string, Allowed | null>>> = {
  chat: new Map([
    ...tierMembers,
    ["prompt_cache_key", null],
    ["stream", { types: ["true", "false", "null"], what: "a boolean" }],
    ["stream_options", { types: ["object", "null"], what: "an object" }],
  ]),
  messages: tierMembers,
  responses: new Map([
    ...tierMembers,
    ["prompt_cache_key", null],
    [
      "background",
      {
        types: ["false", "null"],
        what: "false: the gateway can't bill an answer that nobody reads to its end",
      },
    ],
    ["max_tool_calls", null],
    ["previous_response_id", null],
    ["conversation", null],
    [
      "prompt",
      {
        types: ["null"],
        what: "absent: the gateway can't scan a text that only the provider has. Send the text itself",
      },
    ],
    ["stream", { types: ["true", "false", "null"], what: "a boolean" }],
  ]),
  embeddings: tierMembers,
};

/**
 * Some providers read names in any case, and `"true"` or `1` as true. If the gateway missed that a stream was
 * asked for, the stream would come without its usage. If it missed a tier, the tier might have no rates. Both
 * would be free. So a spelling that only some providers accept is refused (`invalid_request`).
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
