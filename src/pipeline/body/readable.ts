import { refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Wire } from "../../contract/wire.ts";
import { foldCase } from "../../json/fold-case.ts";
import { JsonReader } from "../../json/reader.ts";
import { holdsTokens } from "../../workers/segment/token-input.ts";
import type { Candidate } from "../routing/accounts.ts";
import type { InspectedBody } from "./inspect.ts";

type Check = (body: InspectedBody, candidates: readonly Candidate[]) => Outcome<null>;

const checks: Readonly<Partial<Record<Wire, Check>>> = { embeddings: checkTokens };

/**
 * Refuses what the scan can't read (`invalid_request`): it would reach a model, or a store that models are
 * fed from, without having been looked at.
 */
export function checkReadable(
  wire: Wire,
  body: InspectedBody,
  candidates: readonly Candidate[],
): Outcome<null> {
  return checks[wire]?.(body, candidates) ?? accept(null);
}

/** Which tokens spell which text depends on the model. The scan knows one encoding, that of these models. */
const cl100kModel = /(?:^|\/)text-embedding-/;

function checkTokens(body: InspectedBody, candidates: readonly Candidate[]): Outcome<null> {
  if (candidates.every(({ model }) => cl100kModel.test(model.id))) return accept(null);
  const input = body.topLevel.members.find(({ name }) => foldCase(name) === "input");
  if (input?.type !== "array") return accept(null);
  if (!holdsTokens(new JsonReader(body.bytes, input.valueStart))) return accept(null);
  return refuseParameter(
    "input",
    "Tokens are read for OpenAI's text-embedding models alone, for only their encoding is known here. Send texts.",
  );
}
