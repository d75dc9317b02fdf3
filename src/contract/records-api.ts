import type { RecordedAttempt } from "./request-event.ts";

/** A request or a scan as `/api/v1/gateway/records` shows it; null is what was not known. */
export interface RecordedRequest {
  readonly index: number;
  readonly request_id: string | null;
  readonly created_at: string;
  readonly type: "request" | "scan";
  readonly route: string | null;
  readonly org_id: string | null;
  readonly api_key_id: string | null;
  readonly team: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly account: string | null;
  readonly attempts: readonly RecordedAttempt[];
  readonly status: string;
  readonly http_status: number | null;
  readonly error_code: string | null;
  readonly upstream_status: number | null;
  readonly verdict: string | null;
  readonly score: number | null;
  readonly stream: boolean | null;
  readonly cache: string | null;
  readonly tokens: Readonly<
    Record<"input" | "cache_read" | "cache_write" | "output" | "reasoning", number | null>
  > | null;
  readonly billable_tokens: number | null;
  readonly cost_usd: string | null;
  readonly cost_status: string | null;
  readonly latency_ms: number | null;
  readonly first_byte_ms: number | null;
}
