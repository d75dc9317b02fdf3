import type { Content } from "../../store/embedded/content/content-rows.ts";
import type { KeptBodies } from "./kept-bodies.ts";
import type { RequestRecord } from "./record.ts";

/**
 * What is kept readable of a request: the bodies of a model call; of a scan its submission, or the salt
 * of the submission's hash, and what was found (spec: Privacy of scans), without the redacted text, which
 * is the submission once more. Null where there is nothing.
 */
export function contentOf(record: RequestRecord): Content | null {
  const { isScan, submission, findings, bodies } = record;
  if (!isScan) return bodies === null ? null : contentOfCall(bodies);
  if (submission === null) return null;
  return submission.kind === "text"
    ? { request: submission.body, response: findings, salt: null }
    : { request: null, response: findings, salt: submission.salt };
}

function contentOfCall({ request, response }: KeptBodies): Content {
  return { request, response, salt: null };
}
