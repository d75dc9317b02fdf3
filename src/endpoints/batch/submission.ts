import { refuse, refuseParameter, type Refusal } from "../../contract/errors.ts";
import {
  batchItemsMax,
  batchPatternsMsMax,
  batchValidationBytesPerTurn,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import type { Clock } from "../../runtime/clock.ts";
import { clientLeft, type NewJob } from "../../store/embedded/jobs/jobs.ts";
import type { ReportJob } from "../../workers/report/report-job.ts";
import { scanned } from "../../pipeline/body/body-turns.ts";
import { member, type InspectedBody } from "../../pipeline/body/inspect.ts";
import { readRequestedScan, type RequestedScan } from "../scan/scan-request.ts";

export interface SubmissionRules {
  /** The longest serialized content of one item, in bytes. */
  readonly contentBytesMax: number;
  /** Refuses custom patterns that are invalid. */
  readonly checkPatterns: (patterns: unknown) => Promise<Outcome<unknown>>;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/**
 * Validates a whole submission: every item like a scan of its own (spec: Batch resources), including its
 * custom patterns. The patterns of all items together have `batchPatternsMsMax`. Other requests get their
 * turn meanwhile. Nothing more is checked once `isGone` says that the client has left. Errors of the first
 * faulty item: `invalid_request`, `scan_input_too_large`, `detector_unavailable`.
 */
export async function readSubmission(
  body: InspectedBody,
  rules: SubmissionRules,
  isGone: () => boolean,
): Promise<Outcome<Omit<NewJob, "orgId" | "apiKeyId">>> {
  const items = member(body.topLevel, "items");
  if (items?.type !== "array" || body.topLevel.members.length > 1) {
    return refuseParameter("items", "The body must have exactly one member: items, a list.");
  }
  const reading = new SubmissionReading(body.bytes, rules);
  const reader = new JsonReader(body.bytes, items.valueStart);
  reader.enter();
  while (reader.nextItem()) {
    reader.skip();
    const read = await reading.item(reader.start, reader.end);
    if (!read.ok) return read;
    if (isGone()) return clientLeft;
  }
  return reading.finish();
}

class SubmissionReading {
  readonly #body: Uint8Array;
  readonly #rules: SubmissionRules;
  readonly #ids = new Set<string>();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Patterns that were found valid, as they were submitted. Items often share theirs. */
  readonly #validPatterns = new Set<string>();
  #bytesThisTurn = 0;
  #patternsMs = 0;

  constructor(body: Uint8Array, rules: SubmissionRules) {
    this.#body = body;
    this.#rules = rules;
  }

  async item(start: number, end: number): Promise<Outcome<null>> {
    const index = this.#starts.length;
    if (index === batchItemsMax) {
      return refuse("invalid_request", `/items must have at most ${batchItemsMax} items.`, {
        details: { param: "items", limit: batchItemsMax },
      });
    }
    this.#bytesThisTurn += end - start;
    if (this.#bytesThisTurn >= batchValidationBytesPerTurn) {
      this.#bytesThisTurn = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const read = await readItem(this.#body.subarray(start, end), this.#rules.contentBytesMax);
    if (!read.ok) return { ok: false, refusal: atItem(index, read.refusal) };
    const { id, scan } = read.value;
    if (this.#ids.has(id)) return invalidItem(index, "has the same id as an earlier item");
    const checked = await this.#checkPatterns(scan);
    if (!checked.ok) return { ok: false, refusal: atItem(index, checked.refusal) };
    this.#ids.add(id);
    this.#starts.push(start);
    this.#ends.push(end);
    return accept(null);
  }

  finish(): Outcome<Omit<NewJob, "orgId" | "apiKeyId">> {
    if (this.#starts.length === 0) {
      return refuseParameter("items", "/items must have at least one item.");
    }
    return accept({
      ids: [...this.#ids],
      body: this.#body,
      starts: this.#starts,
      ends: this.#ends,
    });
  }

  async #checkPatterns({ customPatterns }: RequestedScan): Promise<Outcome<unknown>> {
    if (customPatterns === undefined) return accept(null);
    const submitted = JSON.stringify(customPatterns);
    if (this.#validPatterns.has(submitted)) return accept(null);
    if (this.#patternsMs >= batchPatternsMsMax) return patternsOutOfTime;
    const { clock, checkPatterns } = this.#rules;
    const startedAtMs = clock.monotonicMs();
    const checked = await checkPatterns(customPatterns);
    this.#patternsMs += clock.monotonicMs() - startedAtMs;
    if (checked.ok) this.#validPatterns.add(submitted);
    return checked;
  }
}

const patternsOutOfTime = refuse(
  "detector_unavailable",
  "The custom patterns of the submission take too long to be checked.",
  { retryAfterSeconds: 1 },
);

/** The job for checking custom patterns before they are stored: they are only compiled. */
export const nothingToSearch: ReportJob = {
  kind: "report",
  target: "input",
  bytes: Buffer.from('""'),
  options: {
    injection: false,
    sensitivity: "balanced",
    entities: [],
    entityScoreThreshold: null,
    segment: "user",
    customPatterns: true,
  },
  orgId: "",
};

interface BatchItem {
  readonly id: string;
  readonly scan: RequestedScan;
}

/** Reads one item, a JSON object: a scan request with an id. Errors: as `readRequestedScan`. */
export async function readItem(
  bytes: Uint8Array,
  contentBytesMax: number,
): Promise<Outcome<BatchItem>> {
  const topLevel = await scanned(bytes);
  if ("reason" in topLevel || topLevel.root !== "object") {
    return refuse("invalid_request", "An item must be an object.");
  }
  const [id, ...more] = topLevel.members.filter(({ name }) => name === "id");
  const isId = id?.type === "string" && id.valueEnd - id.valueStart > 2 && more.length === 0;
  if (!isId) {
    return refuseParameter("id", "/id must be a string that is not empty.");
  }
  const members = topLevel.members.filter(({ name }) => name !== "id");
  const body = { bytes, topLevel: { ...topLevel, members } };
  const scan = readRequestedScan(body, contentBytesMax, ["id"]);
  if (!scan.ok) return scan;
  const text = decodeString(bytes, id.valueStart + 1, id.valueEnd - 1);
  return accept({ id: text, scan: scan.value });
}

function atItem(index: number, refusal: Refusal): Refusal {
  return { ...refusal, message: `Item ${index}: ${refusal.message}` };
}

function invalidItem(index: number, fault: string): Outcome<never> {
  return refuseParameter("items", `Item ${index} ${fault}.`);
}
