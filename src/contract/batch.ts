import { Type, type Static } from "typebox";
import { members, oneOf } from "./documented-schema.ts";
import { ErrorEnvelope } from "./error-schema.ts";
import { listOf } from "./keys-api/fields.ts";
import { batchItemsMax } from "./limits.ts";
import { ScanOptions, scanInput, scanProviderRequest } from "./scan-request.ts";
import { ScanResponse } from "./scan-response.ts";

const id = Type.String({
  minLength: 1,
  description: "Your name for the item, unique within the job.",
  errorMessage: "a string that is not empty",
});

export const DirectBatchItem = members(
  { id, ...scanInput, ...ScanOptions },
  { description: "A scan of text." },
);
export const ProviderBatchItem = members(
  { id, ...scanProviderRequest, ...ScanOptions },
  { description: "A scan of a provider-native request body." },
);

/** The body of `POST /v1/security/scan/batch` (spec: Batch resources). */
export const BatchRequest = members(
  {
    items: Type.Array(Type.Union([DirectBatchItem, ProviderBatchItem]), {
      minItems: 1,
      maxItems: batchItemsMax,
      description: "Independent scans. One that is invalid refuses all of them.",
      errorMessage: `a list of 1 to ${batchItemsMax} items`,
    }),
  },
  { description: "Scans to run in the background." },
);
export type BatchRequest = Static<typeof BatchRequest>;

export const jobIdPattern = /^scanjob_[a-f0-9]+$/;
const jobId = Type.String({ pattern: jobIdPattern.source, description: "Names the job." });
const itemCount = Type.Integer({ minimum: 1, description: "Items of the job." });

export const BatchAccepted = Type.Object(
  {
    job_id: jobId,
    status: Type.Literal("queued", { description: "Nothing has started yet." }),
    item_count: itemCount,
  },
  { description: "A job that is stored and will run." },
);
export type BatchAccepted = Static<typeof BatchAccepted>;

const batchStatuses = ["queued", "running", "completed", "failed"] as const;
export const BatchState = oneOf(batchStatuses, {
  description:
    "A job is `running` from the first item that started and `failed` if every item failed. An item that waits for another try is `queued`.",
});
export type BatchState = Static<typeof BatchState>;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const timestamp = Type.String({ format: "date-time", description: "UTC." });

export const BatchItemResult = Type.Object(
  {
    id,
    status: BatchState,
    scan_id: Type.Union([Type.String(), Type.Null()], {
      description: "null until the item is completed.",
    }),
    result: Type.Optional(
      Type.Union([ScanResponse, ErrorEnvelope], {
        description: "What was found, or why the item failed. Absent until it has ended.",
      }),
    ),
  },
  { description: "An item of a job." },
);
export type BatchItemResult = Static<typeof BatchItemResult>;

const counts = Type.Object(
  {
    queued: count("Items that wait."),
    running: count("Items that are being scanned."),
    completed: count("Items with a scan response."),
    failed: count("Items with an error."),
  },
  { description: "Items by status; they add up to `item_count`." },
);
const completedAt = Type.Union([timestamp, Type.Null()], {
  description: "When the last item ended; null before.",
});

/** A row of `GET /api/v1/gateway/batches`. */
export const ListedBatch = members(
  {
    job_id: jobId,
    org_id: Type.String({ description: "The organization that submitted it." }),
    api_key_id: Type.String({ description: "The key that submitted it." }),
    status: BatchState,
    item_count: itemCount,
    counts,
    created_at: timestamp,
    completed_at: completedAt,
  },
  { description: "A batch job, without its items." },
);
export type ListedBatch = Static<typeof ListedBatch>;

export const BatchList = listOf(ListedBatch, "Batch jobs, the newest first.", "newest first");

/** The answer of `GET /v1/security/scan/batch/{job_id}`. */
export const BatchStatus = Type.Object(
  {
    job_id: jobId,
    status: BatchState,
    item_count: itemCount,
    completed_count: count("Items that are completed: the same as `counts.completed`."),
    counts,
    created_at: timestamp,
    completed_at: completedAt,
    results: Type.Array(BatchItemResult, { description: "One each item, as submitted." }),
  },
  { description: "How far a job is, and what it found." },
);
export type BatchStatus = Static<typeof BatchStatus>;
