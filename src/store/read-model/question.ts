import type { LoggedEventFilter, RecordFilter } from "./filter.ts";

/** What `group_by` may name. */
export const groupings = [
  "model",
  "served_model",
  "provider",
  "account",
  "key",
  "team",
  "tag",
  "error_code",
  "route",
  "org",
  "status",
  "verdict",
  "score",
  "policy_action",
  "dry_run_action",
  "finding",
] as const;
export type Grouping = (typeof groupings)[number];

export const metrics = [
  "requests",
  "tokens",
  "cost_usd",
  "error_share",
  "blocked",
  "cache_hits",
  "latency_ms",
  "first_byte_ms",
] as const;
export type Metric = (typeof metrics)[number];

/** The length of a step in quarters of an hour. */
export const stepQuarters = { "15m": 1, "1h": 4, "1d": 96 } as const;
export type SeriesStep = keyof typeof stepQuarters;

/** The columns that facets count. */
export const facetNames = [
  "type",
  "route",
  "orgId",
  "key",
  "team",
  "model",
  "provider",
  "account",
  "status",
  "http_status",
  "error_code",
  "verdict",
  "policy_action",
  "dry_run_action",
  "cost_status",
  "cache",
] as const;
export type FacetName = (typeof facetNames)[number];

/** A question to the read model. It holds values of callers; none of them gets into SQL as text. */
export type Question =
  | {
      readonly kind: "records";
      readonly filter: RecordFilter;
      readonly before: number | null;
      readonly limit: number;
    }
  | { readonly kind: "lookup"; readonly requestId: string; readonly filter: RecordFilter }
  /** Where the record of a request stands, and whose it is. */
  | { readonly kind: "place"; readonly requestId: string; readonly filter: RecordFilter }
  | { readonly kind: "facets"; readonly filter: RecordFilter }
  | {
      readonly kind: "series";
      readonly filter: RecordFilter & { readonly sinceMs: number; readonly untilMs: number };
      readonly metric: Metric;
      readonly groupBy: Grouping | null;
      readonly groupsMax: number;
      readonly step: SeriesStep;
      /** IANA; known to this runtime. */
      readonly zone: string;
    }
  | {
      readonly kind: "breakdown";
      readonly filter: RecordFilter;
      readonly groupBy: Grouping;
      readonly groupsMax: number;
    }
  | {
      readonly kind: "events";
      readonly filter: LoggedEventFilter;
      readonly before: number | null;
      readonly limit: number;
    }
  /** A part of a CSV: records from `first` on and before `end`, oldest first. */
  | {
      readonly kind: "csv";
      readonly filter: LoggedEventFilter;
      readonly first: number;
      readonly end: number;
      readonly limit: number;
    }
  | { readonly kind: "count"; readonly filter: RecordFilter; readonly end: number }
  /** Appends the records from `first` on and before `end`, oldest first, to the file of an export. */
  | {
      readonly kind: "export";
      readonly id: string;
      readonly filter: RecordFilter;
      readonly first: number;
      readonly end: number;
    };

/** The name of an export's file, which is all that says where it is. */
export const exportIdPattern = /^[0-9a-f]{32}$/;

/** JSON of a page's rows without their brackets, and where the next page begins. */
export interface PageAnswer {
  readonly rows: string;
  readonly next: number | null;
}

export interface Answers {
  readonly records: PageAnswer;
  /** JSON, or null where there is nothing of that id. */
  readonly lookup: string | null;
  /** null where there is no record of that id. */
  readonly place: { readonly index: number; readonly orgId: string } | null;
  /** JSON. */
  readonly facets: string;
  readonly series: string;
  readonly breakdown: string;
  readonly events: PageAnswer;
  readonly count: number;
  readonly export: { readonly rows: number; readonly bytes: number };
  readonly csv: { readonly text: string; readonly next: number | null };
}

export type AnswerTo<Q extends Question> = Answers[Q["kind"]];
