import type { Content } from "../../store/content/content.ts";
import type { KeptBodies } from "./kept-bodies.ts";
import type { RequestRecord } from "./record.ts";

/**
 * The readable content that is kept of a request (spec: Privacy of scans). For a model call: its bodies. For
 * a scan: its submission, or the salt of the submission's hash, and the findings without the redacted text,
 * which would repeat the submission. null if there is nothing.
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
