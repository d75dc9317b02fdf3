import { reportListBytesMax } from "../../contract/limits.ts";
import type { InjectionResult } from "../../contract/scan.ts";
import type { Detection } from "../../contract/scan-response.ts";
import type { EntityMatch } from "../../detectors/entity.ts";
import type { InjectionScan } from "../detect/injection-scan.ts";
import { judge } from "../../detectors/injection/verdict.ts";
import { countTokens } from "../tokenize/token-count.ts";
import type { Leaf, LeafVisitor } from "../segment/leaf.ts";
import type { Place } from "../segment/place.ts";
import type { TextMemory } from "../detect/text-memory.ts";
import { BoundedList } from "./bounded-list.ts";
import type { EntityScan } from "./entity-scan.ts";
import { textOf } from "./leaf-text.ts";
import type { ReportJob } from "./report-job.ts";
import { Redaction } from "./redaction.ts";
import { TokenRows } from "./token-rows.ts";

/**
 * The result of one scan, without its id and its custom patterns (spec: Scan response). Long parts are
 * already JSON, so the answering thread only has to join them.
 */
export interface ScanReport {
  readonly kind: "report";
  readonly input_tokens: number;
  readonly billable_tokens: number;
  readonly scannedJson: string;
  readonly injection: InjectionResult | null;
  readonly entities: { readonly degraded: boolean } | null;
  /**
   * The first findings, as many as `reportListBytesMax` has room for; `entities` says if there were
   * more.
   */
  readonly detectionsJson: string;
  /** All findings by label, also those that the list has no room for; null if none were looked for. */
  readonly findingCounts: Readonly<Record<string, number>> | null;
  /** The submission's JSON with labels in place of values, or null. */
  readonly redactedJson: string | null;
  /** Milliseconds that the scan waited for a thread. Set by the pool. */
  readonly queuedMs?: number;
}

/** Puts one scan's report together, leaf by leaf. */
export class Reporter implements LeafVisitor {
  readonly #job: ReportJob;
  readonly #entities: EntityScan | null;
  readonly #memory: TextMemory;
  readonly #rows: TokenRows;
  readonly #redaction = new Redaction();
  readonly #detections = new BoundedList(reportListBytesMax);
  readonly #counts = new Map<string, number>();

  /** `entities` null: no entity category was asked for. */
  constructor(job: ReportJob, entities: EntityScan | null, memory: TextMemory) {
    this.#job = job;
    this.#memory = memory;
    this.#entities = entities;
    this.#rows = new TokenRows(job);
  }

  leaf(leaf: Leaf): void {
    const { bytes, options, patternsStoppedAt = Infinity } = this.#job;
    const text = textOf(bytes, leaf);
    const tokens = this.#count(text);
    const isScored = options.injection && leaf.segment !== null;
    // A location names a value, so a finding in a key would have no location.
    const hasPatterns = options.customPatterns && leaf.start < patternsStoppedAt;
    const isSearched = (this.#entities !== null || hasPatterns) && leaf.form !== "key";
    if (isScored || isSearched) this.#rows.scanned(leaf.place, leaf.segment, tokens);
    else this.#rows.skipped(leaf.place, tokens);
    if (this.#entities === null || leaf.form === "key") return;
    const matches = this.#entities.matches(text);
    if (matches.length === 0) return;
    // All of them, also those that the list has no room for.
    const holdsArguments = leaf.place.key(this.#job.bytes) === "arguments";
    this.#redaction.add(leaf, text, matches, holdsArguments);
    for (const { detector } of matches) {
      this.#counts.set(detector.label, (this.#counts.get(detector.label) ?? 0) + 1);
    }
    this.#list(leaf, matches);
  }

  unscanned(place: Place, start: number, end: number): void {
    this.#rows.skipped(place, this.#countJson(start, end));
  }

  /** Call it once, after the last leaf; `scan` is the injection detector's, if it was requested. */
  report(scan: Pick<InjectionScan, "score" | "worst"> | null): ScanReport {
    const { bytes, target } = this.#job;
    const entities = this.#entities && {
      degraded: this.#entities.degraded || this.#detections.isFull,
    };
    return {
      kind: "report",
      // For direct input the text counts, for a request its serialized form.
      input_tokens: target === "input" ? this.#rows.tokens : this.#countJson(0, bytes.length),
      billable_tokens: this.#rows.scannedTokens,
      scannedJson: this.#rows.json,
      injection: scan === null ? null : this.#verdict(scan),
      entities,
      detectionsJson: this.#detections.json,
      findingCounts: this.#entities === null ? null : Object.fromEntries(this.#counts),
      redactedJson: this.#entities === null ? null : this.#redaction.apply(bytes),
    };
  }

  #verdict({ score, worst }: Pick<InjectionScan, "score" | "worst">): InjectionResult {
    const injection = judge(score, this.#job.options.sensitivity);
    if (injection.verdict === "allow" || worst === null) return injection;
    const location = worst.place.location(this.#job.bytes, worst.form === "serialized");
    return { ...injection, location };
  }

  #list({ place, form }: Leaf, matches: readonly EntityMatch[]): void {
    if (this.#detections.isFull) return;
    const location = place.location(this.#job.bytes, form === "serialized");
    for (const { detector, score, start, end } of matches) {
      const { category, entityType: entity_type, label } = detector;
      const rounded = Math.round(score * 100) / 100;
      const found: Detection = {
        category,
        entity_type,
        label,
        score: rounded,
        start,
        end,
        location,
      };
      this.#detections.add(found);
    }
  }

  #countJson(start: number, end: number): number {
    return this.#count(Buffer.from(this.#job.bytes.subarray(start, end)).toString("utf8"));
  }

  #count(text: string): number {
    const { orgId } = this.#job;
    if (orgId === undefined) return countTokens(text);
    return this.#memory.recall(`${orgId} tokens`, Buffer.from(text), () => countTokens(text));
  }
}
