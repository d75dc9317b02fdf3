import { injectionTextBytesMax, injectionTextOverlapBytes } from "../../contract/limits.ts";
import type { InjectionDetector } from "../../detectors/injection/detector.ts";
import type { QuietScorer } from "../../detectors/injection/quiet/quiet-scorer.ts";
import { judge } from "../../detectors/injection/verdict.ts";
import { InjectionScan } from "./injection-scan.ts";
import { QuietScan } from "./quiet-scan.ts";
import type { EntityScan } from "../report/entity-scan.ts";
import type { ReportJob, ReportOptions } from "../report/report-job.ts";
import type { ScanReport } from "../report/reporter.ts";
import { visitTarget } from "../report/target.ts";
import type { ProviderRequestJob, ScanJob, ScanResult, WorkerResult } from "../pool/scan-job.ts";
import type { Packed, PackedJob, PackedScan } from "../pool/scan-task.ts";
import type { TextMemory } from "./text-memory.ts";
import { Place } from "../segment/place.ts";
import { textOfTokens } from "../segment/token-input.ts";
import { visitLeaves } from "../segment/segment.ts";
import { worstLeaf } from "./worst-leaf.ts";
import { ReplaceScan } from "./replace-scan.ts";
import { cutUtf8, pieces } from "../segment/text-cut.ts";
import { TextJoiner, type ScoredLeaf } from "../segment/text-joiner.ts";

/** Does one scan at a time, in a worker. */
export class Scanner {
  readonly #detector: InjectionDetector;
  readonly #memory: TextMemory;
  readonly #entities: (options: ReportOptions) => EntityScan;
  readonly #quiet: QuietScorer | null;
  readonly #text = Buffer.allocUnsafeSlow(injectionTextBytesMax);
  /** The buffer for joining results that may be replaced; allocated at first use. */
  #resultText: Buffer | null = null;

  /** `entities` begins the entity scan of one job; `quiet` scores tools' texts beside the detector. */
  constructor(
    detector: InjectionDetector,
    memory: TextMemory,
    entities: (options: ReportOptions) => EntityScan,
    quiet: QuietScorer | null = null,
  ) {
    this.#quiet = quiet;
    this.#detector = detector;
    this.#memory = memory;
    this.#entities = entities;
  }

  /**
   * Scans a job of the task that `bytes` came with. The result shows a detector's failure as a score
   * that could not be computed. It throws only for a bug or a body that was not validated.
   */
  async scan(job: PackedJob, bytes: Uint8Array): Promise<WorkerResult> {
    return job.kind === "report" ? this.#report(job, bodyOf(job, bytes)) : this.verdict(job, bytes);
  }

  /** Scans for a verdict. Throws as `scan` does. */
  verdict(job: PackedScan, bytes: Uint8Array): ScanResult {
    const body = bodyOf(job, bytes);
    const quiet = this.#quietOf(job);
    const scan = new InjectionScan(this.#detectorOf(job), quiet);
    if (job.kind === "text") {
      addPlainText(scan, body);
      return resultOf(scan, job, body, 1);
    }
    const joiner = new TextJoiner(body, this.#text, (text) => scan.add(text));
    if (job.replaces === true && job.format !== "embeddings")
      return this.#replacing(job, body, scan, joiner, quiet);
    visitLeaves(body, job.format, joiner);
    joiner.flush();
    if (job.format === "embeddings") addPlainText(scan, Buffer.from(textOfTokens(body)));
    return resultOf(scan, job, body, joiner.leaves);
  }

  #replacing(
    job: Packed<ProviderRequestJob>,
    body: Buffer,
    scan: InjectionScan,
    joiner: TextJoiner,
    quiet: QuietScan | null,
  ): ScanResult {
    this.#resultText ??= Buffer.allocUnsafeSlow(injectionTextBytesMax);
    // Separate from the other texts, but after the words of the same user.
    const ofResults = new InjectionScan(this.#detectorOf(job), quiet);
    const replacing = new ReplaceScan(body, this.#resultText, ofResults, job.sensitivity, joiner);
    visitLeaves(body, job.format, replacing);
    joiner.flush();
    replacing.flush();
    const { replaced, results, replacedScore, replacedLeaf } = replacing;
    const leaves = joiner.leaves + replacing.leaves;
    const rest = resultOf(scan, job, body, leaves);
    if (replaced.length === 0 || results.score === null) {
      return resultOf(worse(scan, results), job, body, leaves);
    }
    const found = { score: replacedScore, worst: replacedLeaf };
    const replacement = { texts: replaced, rest };
    return { ...resultOf(worse(scan, found), job, body, leaves), replacement };
  }

  /** Reports one scan's findings. Throws as `scan` does. */
  async #report(job: Packed<ReportJob>, bytes: Buffer): Promise<ScanReport> {
    // The encoding takes 60 MB and 300 ms to load; a gateway that only forwards never needs it.
    const { Reporter } = await import("../report/reporter.ts");
    const target = { ...job, bytes };
    const { options } = job;
    const entities = options.entities.length === 0 ? null : this.#entities(options);
    const reporter = new Reporter(target, entities, this.#memory);
    visitTarget(target, reporter);
    if (!options.injection) return reporter.report(null);
    const scan = new InjectionScan(this.#detectorOf(job), this.#quietOf(job));
    const joiner = new TextJoiner(bytes, this.#text, (text) => scan.add(text));
    visitTarget(target, joiner);
    joiner.flush();
    return reporter.report(scan);
  }

  #quietOf({ orgId }: Pick<PackedJob, "orgId">): QuietScan | null {
    return this.#quiet && new QuietScan(this.#quiet, this.#memory, orgId);
  }

  #detectorOf({ orgId }: Pick<PackedJob, "orgId">): InjectionDetector {
    return orgId === undefined ? this.#detector : this.#memory.over(this.#detector, orgId);
  }
}

function bodyOf({ start, end }: PackedJob, bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
}

/** A body of unknown form is data, like JSON of unknown shape. */
function addPlainText(scan: InjectionScan, bytes: Buffer): void {
  const [start, end] = [0, bytes.length];
  const segment = "tool";
  const leaf: ScoredLeaf = { place: Place.source("request"), form: "string", segment, start, end };
  const [max, overlap] = [injectionTextBytesMax, injectionTextOverlapBytes];
  for (const [from, until] of pieces(bytes, start, end, cutUtf8, max, overlap)) {
    const utf8 = bytes.subarray(from, until);
    scan.add({ utf8, segment, spans: [{ leaf, from: 0, until: utf8.length }] });
  }
}

type Scored = Pick<InjectionScan, "score" | "worst">;

/** A missing score counts as the highest, because it blocks. */
function worse(one: Scored, other: Scored): Scored {
  return (other.score ?? 2) > (one.score ?? 2) ? other : one;
}

function resultOf(
  { score, worst }: Scored,
  { sensitivity }: Pick<ScanJob, "sensitivity">,
  bytes: Buffer,
  leaves: number,
): ScanResult {
  const injection = judge(score, sensitivity);
  // An answer does not show the place of an allowed text, and making the name of a place costs
  // microseconds.
  const told = injection.verdict === "allow" ? null : worst;
  return { kind: "verdict", injection, leaves, worst: told && worstLeaf(told, bytes) };
}
