import type { ModelDetector } from "../../../src/detectors/injection/model-detector.ts";
import { requestScore } from "../../../src/detectors/injection/request-score.ts";
import { operatingPoints } from "../../../src/detectors/injection/verdict.ts";
import { evasions, type Evasion } from "../../../training/injection/evasions.ts";
import type { Session } from "../../../training/injection/rows.ts";
import { Random } from "../../../training/names/random.ts";
import { areaUnderCurve, shareAbove, thresholdAt, wilson, type Share } from "./metrics.ts";
import type { InjectionRow } from "./rows.ts";
import { rounded, roundedScore, textScore } from "./score.ts";

/** Shares of honest texts for which recall is reported. */
const shares = [0.001, 0.005, 0.01, 0.05];
/** A benign document with at least this length counts as long. */
const longChars = 4_000;
const points = ["strict", "balanced", "permissive"] as const;

interface ScoredRow {
  readonly row: InjectionRow;
  readonly label: 0 | 1;
  readonly score: number;
}

/** Prints all tables. Scores are rounded to two decimals, as a client sees them. */
export function report(detector: ModelDetector, rows: readonly InjectionRow[]): void {
  const scored = scoredBy(detector, rows);
  const core = scored.filter(({ row }) => row.core !== false);
  const honest = core.filter(({ label }) => label === 0);
  const attacks = core.filter(({ label }) => label === 1);
  if (attacks.length > 0 && honest.length > 0) {
    recallTable(attacks, honest);
    sourceRecall(attacks, honest);
  }
  passedTable(scored.filter(({ label }) => label === 0));
  longDocuments(honest);
  evasionTable(detector, attacks);
  speed(detector, rows);
}

function scoredBy(detector: ModelDetector, rows: readonly InjectionRow[]): ScoredRow[] {
  return rows.map((row) => ({
    row,
    label: row.label,
    score: roundedScore(detector, row.text, row.segment),
  }));
}

function recallTable(attacks: readonly ScoredRow[], honest: readonly ScoredRow[]): void {
  console.log(`\nRecall at a share of false positives, ${honest.length} honest texts (core)`);
  console.log(
    "  attacks                 AUC    at 0.1 %          at 0.5 %          at 1 %            at 5 %",
  );
  line("all", attacks, honest);
  line("direct", attacks.filter(isDirect), honest);
  line("indirect", attacks.filter(isIndirect), honest);
  line("direct, user texts", attacks.filter(isDirect), honest.filter(isDirect));
  line("indirect, tool texts", attacks.filter(isIndirect), honest.filter(isIndirect));
}

function line(name: string, attacks: readonly ScoredRow[], honest: readonly ScoredRow[]): void {
  if (attacks.length === 0 || honest.length === 0) return;
  const scores = honest.map(({ score }) => score);
  const recalls = shares.map((share) =>
    interval(
      shareAbove(
        attacks.map(({ score }) => score),
        thresholdAt(scores, share),
      ),
    ),
  );
  const auc = areaUnderCurve([...attacks, ...honest]).toFixed(4);
  console.log(`  ${`${name} (${attacks.length})`.padEnd(23)} ${auc} ${recalls.join(" ")}`);
}

function sourceRecall(attacks: readonly ScoredRow[], honest: readonly ScoredRow[]): void {
  const threshold = thresholdAt(
    honest.map(({ score }) => score),
    0.01,
  );
  console.log(
    "\nAttacks by source: at 1 % false positives overall, and blocked at each operating point",
  );
  for (const [source, rows] of bySource(attacks)) {
    const scores = rows.map(({ score }) => score);
    const blocked = points.map((point) => percent(shareAbove(scores, operatingPoints[point])));
    console.log(
      `  ${source.padEnd(26)} ${String(rows.length).padStart(5)} ${interval(shareAbove(scores, threshold))} ${blocked.join(" ")}`,
    );
  }
}

function passedTable(honest: readonly ScoredRow[]): void {
  console.log("\nHonest texts passed at strict, balanced, permissive");
  const groups: (readonly [string, readonly ScoredRow[]])[] = [
    ["all user", honest.filter((scored) => isDirect(scored) && scored.row.core !== false)],
    ["all tool", honest.filter((scored) => isIndirect(scored) && scored.row.core !== false)],
    ["NotInject", honest.filter(({ row }) => row.source.startsWith("notinject"))],
    ...bySource(honest),
  ];
  for (const [name, rows] of groups) {
    if (rows.length === 0) continue;
    const scores = rows.map(({ score }) => score);
    const passed = points.map((point) => {
      const { hits, of } = shareAbove(scores, operatingPoints[point]);
      return percent({ hits: of - hits, of });
    });
    console.log(`  ${name.padEnd(26)} ${String(rows.length).padStart(5)} ${passed.join(" ")}`);
  }
}

function longDocuments(honest: readonly ScoredRow[]): void {
  const long = honest.filter(({ row }) => row.text.length >= longChars);
  if (long.length === 0) return;
  const megabytes = long.reduce((sum, { row }) => sum + Buffer.byteLength(row.text), 0) / 1e6;
  console.log(
    `\nLong honest documents: ${long.length} of ${longChars} characters and more, ${megabytes.toFixed(2)} MB`,
  );
  for (const point of points) {
    const { hits, of } = shareAbove(
      long.map(({ score }) => score),
      operatingPoints[point],
    );
    const passed = interval({ hits: of - hits, of });
    console.log(
      `  ${point.padEnd(10)} passed ${passed}, ${(hits / megabytes).toFixed(2)} blocked a MB`,
    );
  }
}

/** Agent sessions; each is one request. Training sees a ninth of their texts. */
export function reportSessions(detector: ModelDetector, sessions: readonly Session[]): void {
  if (sessions.length === 0) return;
  const scores = sessions.map((session) =>
    rounded(
      Math.max(
        ...(["user", "tool"] as const).map((segment) => {
          const texts = session.leaves.filter((leaf) => leaf.segment === segment);
          const worst = Math.max(0, ...texts.map(({ text }) => textScore(detector, text, segment)));
          return requestScore(worst, texts.length);
        }),
      ),
    ),
  );
  const leaves = sessions.reduce((sum, session) => sum + session.leaves.length, 0);
  console.log(`\nHonest agent sessions: ${sessions.length}, of ${leaves} texts`);
  for (const point of points) {
    const { hits, of } = shareAbove(scores, operatingPoints[point]);
    console.log(`  ${point.padEnd(10)} passed ${interval({ hits: of - hits, of })}`);
  }
}

/** Texts of our own that no training reads, by kind. */
export function reportHeldOut(detector: ModelDetector, rows: readonly InjectionRow[]): void {
  if (rows.length === 0) return;
  const scored = scoredBy(detector, rows);
  console.log("\nOwn texts that no training reads: reach strict, balanced, permissive");
  for (const label of [1, 0]) {
    const name = label === 1 ? "attacks" : "honest";
    for (const [source, ofSource] of bySource(scored.filter((one) => one.label === label))) {
      const scores = ofSource.map(({ score }) => score);
      const reached = points.map((point) => percent(shareAbove(scores, operatingPoints[point])));
      const count = String(ofSource.length).padStart(5);
      console.log(`  ${name.padEnd(8)} ${source.padEnd(28)} ${count} ${reached.join(" ")}`);
    }
  }
}

/**
 * Prints how many of the attacks that are blocked in their plain form are also blocked in disguise.
 */
function evasionTable(detector: ModelDetector, attacks: readonly ScoredRow[]): void {
  const blocked = attacks.filter(({ score }) => score >= operatingPoints.balanced);
  if (blocked.length === 0) return;
  console.log(
    `\nEvasion: of ${blocked.length} attacks blocked at balanced, still blocked in disguise`,
  );
  const random = new Random(1);
  let hits = 0;
  const names = Object.keys(evasions) as Evasion[];
  for (const name of names) {
    const still = blocked.filter(({ row }) => {
      const text = disguised(row, (plain) => evasions[name](plain, random));
      return roundedScore(detector, text, row.segment) >= operatingPoints.balanced;
    });
    hits += still.length;
    console.log(`  ${name.padEnd(16)} ${interval({ hits: still.length, of: blocked.length })}`);
  }
  console.log(`  ${"all".padEnd(16)} ${interval({ hits, of: blocked.length * names.length })}`);
}

/** If the attack is known to be a part of a document, only this part is disguised. */
function disguised({ text, needle }: InjectionRow, disguise: (text: string) => string): string {
  const at = needle === undefined ? -1 : text.indexOf(needle);
  if (needle === undefined || at < 0) return disguise(text);
  return text.slice(0, at) + disguise(needle) + text.slice(at + needle.length);
}

function speed(detector: ModelDetector, rows: readonly InjectionRow[]): void {
  const texts = rows
    .filter(({ text }) => text.length > 300 && text.length < 12_000)
    .slice(0, 2_000);
  if (texts.length === 0) return;
  const buffers = texts.map(({ text }) => Buffer.from(text));
  const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const before = performance.now();
    for (const utf8 of buffers) detector.score(utf8, "user");
    least = Math.min(least, performance.now() - before);
  }
  console.log(
    `\n${((least * 1000) / (bytes / 1024)).toFixed(1)} µs per KB over ${texts.length} texts`,
  );
}

function isDirect({ row }: ScoredRow): boolean {
  return row.segment === "user";
}

function isIndirect({ row }: ScoredRow): boolean {
  return row.segment === "tool";
}

function bySource(rows: readonly ScoredRow[]): [string, ScoredRow[]][] {
  const sources = new Map<string, ScoredRow[]>();
  for (const scored of rows) {
    const { source } = scored.row;
    const others = sources.get(source);
    if (others === undefined) sources.set(source, [scored]);
    else others.push(scored);
  }
  return [...sources].sort(([a], [b]) => (a < b ? -1 : 1));
}

function interval(share: Share): string {
  const { low, high } = wilson(share);
  const middle = share.of === 0 ? 0 : share.hits / share.of;
  return `${middle.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`.padEnd(17);
}

function percent({ hits, of }: Share): string {
  return `${((100 * hits) / Math.max(1, of)).toFixed(1)} %`.padStart(8);
}
