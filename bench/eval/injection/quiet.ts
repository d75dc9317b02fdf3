import { injectionTextBytesMax } from "../../../src/contract/limits.ts";
import type { ModelDetector } from "../../../src/detectors/injection/model-detector.ts";
import type { QuietScorer } from "../../../src/detectors/injection/quiet/quiet-scorer.ts";
import { requestScore } from "../../../src/detectors/injection/request-score.ts";
import { operatingPoints } from "../../../src/detectors/injection/verdict.ts";
import type { QuietText } from "../../../training/injection/quiet-rows.ts";
import type { Session } from "../../../training/injection/rows.ts";
import type { InjectionRow } from "./rows.ts";
import { rounded, textScore } from "./score.ts";

/** The number of tools' texts in the sessions into which each text is put. */
const sessionTexts = 10;
const points = ["strict", "balanced", "permissive"] as const;

/**
 * The scores of a tool's text: by the detector alone, and together with the scorer of quiet
 * injections.
 */
interface Scores {
  readonly alone: number;
  readonly both: number;
}

/**
 * Prints how many more attacks the detector of quiet injections finds, and which honest texts it
 * blocks.
 */
export function reportQuiet(
  detector: ModelDetector,
  scorer: QuietScorer,
  kept: readonly QuietText[],
  rows: readonly InjectionRow[],
  sessions: readonly Session[],
): void {
  const score = (text: string, user: string | null): Scores => {
    const context = scorer.begin();
    if (user !== null) context.add(Buffer.from(user));
    const alone = textScore(detector, text, "tool");
    const utf8 = Buffer.from(text).subarray(0, injectionTextBytesMax);
    return { alone, both: Math.max(alone, scorer.score(utf8, context)) };
  };
  console.log(
    `\nQuiet injections (${scorer.version}), one in a session of ${sessionTexts} tools' texts: reach strict, balanced, permissive; the detector alone, then with it`,
  );
  const scored = kept.map((row) => ({ row, scores: score(row.text, row.user) }));
  const kinds = [...new Set(kept.map(({ kind }) => kind))].sort();
  for (const role of ["attack", "twin", "honest"] as const) {
    for (const kind of [...kinds, null]) {
      const own = scored.filter(
        ({ row }) => row.role === role && (kind === null || row.kind === kind),
      );
      line(
        `${role} ${kind ?? "all"}`,
        own.map(({ scores }) => scores),
        sessionTexts,
      );
    }
  }
  const honestTools = rows.filter(
    ({ segment, label, core }) => segment === "tool" && label === 0 && core !== false,
  );
  line(
    "data, honest",
    honestTools.map(({ text }) => score(text, null)),
    1,
  );
  const attackedTools = rows.filter(
    ({ segment, label, core }) => segment === "tool" && label === 1 && core !== false,
  );
  line(
    "data, attack",
    attackedTools.map(({ text }) => score(text, null)),
    1,
  );
  line(
    "own sessions",
    sessions.map((session) => sessionScores(detector, scorer, session)),
    1,
  );
}

/** The scores of a whole session, with its texts in order. */
function sessionScores(detector: ModelDetector, scorer: QuietScorer, session: Session): Scores {
  const context = scorer.begin();
  const worst = { user: 0, tool: 0, both: 0 };
  const texts = { user: 0, tool: 0 };
  for (const { segment, text } of session.leaves) {
    const score = textScore(detector, text, segment);
    texts[segment]++;
    worst[segment] = Math.max(worst[segment], score);
    const utf8 = Buffer.from(text).subarray(0, injectionTextBytesMax);
    if (segment === "user") context.add(utf8);
    else worst.both = Math.max(worst.both, score, scorer.score(utf8, context));
  }
  const user = requestScore(worst.user, texts.user);
  return {
    alone: Math.max(user, requestScore(worst.tool, texts.tool)),
    both: Math.max(user, requestScore(worst.both, texts.tool)),
  };
}

function line(name: string, scores: readonly Scores[], texts: number): void {
  if (scores.length === 0) return;
  const reached = (which: keyof Scores): string =>
    points
      .map((point) => {
        const from = operatingPoints[point];
        return scores.filter((one) => rounded(requestScore(one[which], texts)) >= from).length;
      })
      .map((hits) => String(hits).padStart(4))
      .join(" ");
  const count = String(scores.length).padStart(5);
  console.log(`  ${name.padEnd(24)} ${count}  ${reached("alone")}  ${reached("both")}`);
}
