import { injectionTextBytesMax, injectionTextOverlapBytes } from "../contract/limits.ts";
import type { Segment } from "../contract/scan.ts";
import type { InjectionDetector } from "../detectors/injection/detector.ts";
import { judge } from "../detectors/injection/verdict.ts";
import { InjectionScan } from "./injection-scan.ts";
import type { DirectJob, ScanResult } from "./scan-job.ts";
import type { PackedJob } from "./scan-task.ts";
import type { ScoreCache } from "./score-cache.ts";
import { Place } from "./segment/place.ts";
import { visitLeaves } from "./segment/segment.ts";
import { cutUtf8, pieces } from "./text-cut.ts";
import { TextJoiner, type ScoredLeaf } from "./text-joiner.ts";

/** Does one scan at a time, in a worker. */
export class Scanner {
  readonly #detector: InjectionDetector;
  readonly #scores: ScoreCache;
  readonly #text = Buffer.allocUnsafeSlow(injectionTextBytesMax);

  constructor(detector: InjectionDetector, scores: ScoreCache) {
    this.#detector = detector;
    this.#scores = scores;
  }

  /**
   * Scans a job of the task that `bytes` came with. A detector's failure is in the result, as a
   * score that could not be computed; what is thrown is a bug or a body that was not validated.
   */
  async scan(job: PackedJob, bytes: Uint8Array): Promise<ScanResult> {
    if (job.kind === "direct") return this.#direct(job);
    const scan = this.#begin(job);
    const body = Buffer.from(bytes.buffer, bytes.byteOffset + job.start, job.end - job.start);
    if (job.kind === "text") {
      addPlainText(scan, body, "request", "user");
      return resultOf(scan, job, body, 1);
    }
    const joiner = new TextJoiner(body, this.#text, (text) => scan.add(text));
    visitLeaves(body, job.format, joiner);
    joiner.flush();
    return resultOf(scan, job, body, joiner.leaves);
  }

  async #direct(job: DirectJob): Promise<ScanResult> {
    const scan = this.#begin(job);
    const utf8 = Buffer.from(job.text, "utf8");
    addPlainText(scan, utf8, "input", job.segment);
    const result = resultOf(scan, job, utf8, 1);
    if (!job.countTokens) return result;
    // The encoding takes 60 MB and 300 ms to load; a gateway that only forwards never needs it.
    const { countTokens } = await import("./token-count.ts");
    const tokens = countTokens(job.text);
    return { ...result, tokens: { input: tokens, billable: tokens } };
  }

  #begin({ orgId }: PackedJob): InjectionScan {
    if (orgId === undefined) return new InjectionScan(this.#detector);
    return new InjectionScan(this.#scores.over(this.#detector, orgId));
  }
}

function addPlainText(
  scan: InjectionScan,
  bytes: Buffer,
  source: "input" | "request",
  segment: Segment,
): void {
  const [start, end] = [0, bytes.length];
  const leaf: ScoredLeaf = { place: Place.source(source), form: "string", segment, start, end };
  const [max, overlap] = [injectionTextBytesMax, injectionTextOverlapBytes];
  for (const [from, until] of pieces(bytes, start, end, cutUtf8, max, overlap)) {
    const utf8 = bytes.subarray(from, until);
    scan.add({ utf8, segment, spans: [{ leaf, from: 0, until: utf8.length }] });
  }
}

function resultOf(
  { score, worst }: InjectionScan,
  { sensitivity }: PackedJob,
  bytes: Uint8Array,
  leaves: number,
): ScanResult {
  return {
    injection: judge(score, sensitivity),
    leaves,
    worst: worst && {
      location: worst.place.location(bytes, worst.form === "serialized"),
      segment: worst.segment,
    },
  };
}
