// What questions on records cost the requests that are served meanwhile: `npm run bench:records-load -- --data FOLDER`,
// with a store that `npm run bench:records -- --keep FOLDER` has made. The gateway gets half of the load that it can serve,
// in interleaved rounds: twice without questions, which shows how much rounds differ by themselves, and once while an
// operator asks one question after the other.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findCapacity } from "./overload/overload.ts";
import { canPin, operatorKey, Processes } from "./overload/processes.ts";
import type { PhaseResult } from "./overload/phase.ts";
import { median, rankDifferenceChance } from "./report/statistics.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "5" },
    rate: { type: "string" },
  },
});
if (values.data === undefined) throw new Error("--data FOLDER is missing");
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

/** The store's records are of January 2026. */
const month = "since=2026-01-01T00:00:00Z&until=2026-01-31T00:00:00Z";
const questions: readonly string[] = [
  "records?limit=50",
  "records?limit=50&model=openai/model-7",
  `usage/breakdown?group_by=model&${month}`,
  `usage/series?metric=tokens&step=1d&group_by=model&tz=Europe/Berlin&${month}`,
  `records/facets?team=team_7&${month}`,
  "records/lookup?request_id=5mUyOhPrRjuCXXcYRSkHKg-77",
];

/** Asks one question after the other. */
class Asking {
  #isOver = false;
  readonly #asked = this.#ask();

  /** Returns how many were answered. */
  end(): Promise<number> {
    this.#isOver = true;
    return this.#asked;
  }

  async #ask(): Promise<number> {
    let answered = 0;
    while (!this.#isOver) {
      const status = await ask(questions[answered % questions.length] ?? "");
      if (status !== 200) throw new Error(`a question was answered ${status}`);
      answered += 1;
    }
    return answered;
  }
}

const kinds = ["quiet", "quiet again", "asked"] as const;
const main = join(import.meta.dirname, "../dist/main.js");
const processes = await Processes.start(main, values.data);
try {
  await untilAnswered();
  const rate =
    values.rate === undefined
      ? (await findCapacity(processes, 500, (what) => console.error(what))) / 2
      : Number(values.rate);
  const measured = new Map(kinds.map((kind) => [kind, [] as PhaseResult[]]));
  let asked = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < kinds.length; i += 1) {
      const kind = kinds[(i + round) % kinds.length] ?? "quiet";
      const asking = kind === "asked" ? new Asking() : null;
      const phase = { requestsPerSecond: rate, seconds, warmUpSeconds: 0.5 };
      measured.get(kind)?.push(await processes.run(phase));
      asked += (await asking?.end()) ?? 0;
    }
  }
  console.log(
    `${Math.round(rate)} requests/s, ${canPin ? "gateway on one core, load on another" : "no cores of their own"}`,
  );
  console.log(`${(asked / rounds / (seconds + 0.5)).toFixed(1)} questions/s while asked`);
  for (const quantile of ["p50", "p99"] as const) {
    const of = (kind: (typeof kinds)[number]) =>
      (measured.get(kind) ?? []).map(({ served }) => served[quantile]);
    const [quiet, again, during] = kinds.map(of);
    if (quiet === undefined || again === undefined || during === undefined) continue;
    for (const kind of kinds) {
      const each = of(kind).map((value) => value.toFixed(2));
      console.log(`${quantile}, ${kind}: ${median(of(kind)).toFixed(2)} ms (${each.join(", ")})`);
    }
    const byRound = (other: readonly number[]) =>
      ratioText(other.map((value, round) => value / (quiet[round] ?? NaN)));
    console.log(
      `${quantile}, to the quiet one of the round: quiet again ${byRound(again)}, asked ${byRound(during)}`,
    );
    const chance = rankDifferenceChance(during, [...quiet, ...again]).toFixed(3);
    console.log(`${quantile}, chance of such a difference if questions cost nothing: ${chance}`);
  }
  for (const kind of kinds) {
    const results = measured.get(kind) ?? [];
    const late = median(results.map(({ lateP99 }) => lateP99)).toFixed(2);
    const of = (what: (result: PhaseResult) => number) =>
      results.reduce((sum, result) => sum + what(result), 0);
    console.log(
      `${kind}: generator late by ${late} ms (p99, in the latencies); ${of(({ refused }) => refused.count)} requests refused, ${of(({ failed }) => failed)} failed`,
    );
  }
} finally {
  await processes.stop();
}

/** The median, and the lowest and the highest: of "quiet again" these are what rounds differ by themselves. */
function ratioText(ratios: readonly number[]): string {
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  return `× ${median(ratios).toFixed(3)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

async function ask(path: string): Promise<number> {
  const response = await fetch(`${processes.keysUrl}/api/v1/gateway/${path}`, {
    headers: { authorization: `Bearer ${operatorKey}` },
  });
  await response.text();
  return response.status;
}

/** Until the read model has followed the log. */
async function untilAnswered(): Promise<void> {
  for (;;) {
    const status = await ask("records?limit=1&team=team_7");
    if (status === 200) return;
    if (status !== 503) throw new Error(`a question was answered ${status}`);
    await new Promise((again) => setTimeout(again, 500));
  }
}
