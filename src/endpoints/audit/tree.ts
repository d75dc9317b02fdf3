import type { AuditConsistency } from "../../contract/audit-api.ts";
import { refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { AuditLog } from "../../store/embedded/audit/audit-log.ts";
import type { Answer } from "../../exchange/exchange.ts";
import { jsonAnswer } from "../../exchange/refusal.ts";
import type { AuditCall } from "./endpoint.ts";
import { readWhole } from "./events.ts";

/** `GET /v1/audit/checkpoint`: the signed note. Errors: `not_found`, `internal_error`. */
export async function showCheckpoint(log: AuditLog): Promise<Outcome<Answer>> {
  const note = await log.checkpoint();
  return note.ok ? accept(textAnswer(note.value)) : note;
}

/** `GET /v1/audit/key`: the C2SP verifier key. */
export function showVerifierKey(log: AuditLog): Outcome<Answer> {
  return accept(textAnswer(`${log.verifierKey}\n`));
}

/** `GET /v1/audit/consistency?first=&second=`. Errors: `invalid_request`. */
export function proveConsistency(log: AuditLog, { query }: AuditCall): Outcome<Answer> {
  const [first, second] = [readSize(query, "first"), readSize(query, "second")];
  if (!first.ok) return first;
  if (!second.ok) return second;
  const proof = log.consistency(first.value, second.value);
  if (!proof.ok) return proof;
  const hashes = proof.value.map((hash) => hash.toString("base64"));
  return accept(jsonAnswer(JSON.stringify({ hashes } satisfies AuditConsistency)));
}

function readSize(query: URLSearchParams, name: string): Outcome<number> {
  const size = query.has(name) ? readWhole(query, name, 0) : null;
  return size === null
    ? refuseParameter(name, `${name} must be the size of a checkpoint.`)
    : accept(size);
}

function textAnswer(body: string): Answer {
  return { status: 200, headers: ["Content-Type", "text/plain; charset=utf-8"], body };
}
