import type { StreamRules } from "../exchange.ts";
import { answerBlocked } from "./blocked.ts";
import type { CallerPolicy } from "./caller-policy.ts";
import { isRecordOnly } from "./input-rules.ts";

/** What the policy does with an answer that streams; null: it passes as it comes. */
export function streamRules({ output, dryRun }: CallerPolicy): StreamRules | null {
  if (output === null || isRecordOnly(output, dryRun)) return null;
  return { unreadable };
}

const { refusal: unreadable } = answerBlocked("a stream of this kind can't be searched");
