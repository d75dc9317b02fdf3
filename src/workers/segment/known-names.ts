import { blockNames } from "./blocks.ts";
import type { Known, Members } from "./known.ts";
import { messageNames } from "./messages.ts";
import { membersOfRequest } from "./requests.ts";
import { itemNames } from "./responses.ts";

/** Names of members that the wires define, in lower case. They reveal nothing about a caller. */
export const knownNames: ReadonlySet<string> = new Set(
  [...Object.values(membersOfRequest), ...blockNames, ...messageNames, ...itemNames]
    .flatMap((members) => [...namesIn(members)])
    .concat("content", "text", "input", "output", "messages", "tools", "system", "source")
    .concat("description", "parameters", "input_schema", "function", "properties", "required")
    .concat("image_url", "file", "input_audio", "outputs", "result", "results", "error"),
);

function* namesIn(known: Known): Generator<string> {
  if (typeof known !== "object") return;
  for (const [name, members] of Object.entries<Known>(known satisfies Members)) {
    yield name;
    yield* namesIn(members);
  }
}
