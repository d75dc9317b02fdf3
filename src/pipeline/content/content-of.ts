import type { Content } from "../../store/content/content-rows.ts";
import type { RequestRecord } from "../record.ts";

/**
 * What is kept readable of a request: the bodies of a model call; of a scan its submission, or the salt
 * of the submission's hash, and never its answer, which has the submission in it once more. Null where
 * there is nothing.
 */
export function contentOf({ isScan, submission, bodies }: RequestRecord): Content | null {
  if (!isScan) return bodies === null ? null : { ...bodies, salt: null };
  if (submission === null) return null;
  return submission.kind === "text"
    ? { request: submission.body, response: null, salt: null }
    : { request: null, response: null, salt: submission.salt };
}
