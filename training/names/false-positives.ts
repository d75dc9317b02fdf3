// node training/names/false-positives.ts --data ../shared/data/dev/prompt_injection.jsonl.gz [--model file] [--show 5]
// How much is found in benign texts, by source: matches per KB, of which most should be real names.
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { loadNameFinder } from "../../src/detectors/names/name-finder.ts";

interface Row {
  readonly text: string;
  readonly label: number;
  readonly source: string;
}

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data/dev/prompt_injection.jsonl.gz" },
    model: { type: "string" },
    source: { type: "string", default: "" },
    threshold: { type: "string", default: "0.5" },
    show: { type: "string", default: "0" },
  },
});
const finder = loadNameFinder(options.model);
const bySource = new Map<string, Row[]>();
for (const line of gunzipSync(readFileSync(options.data)).toString("utf8").trim().split("\n")) {
  const row = JSON.parse(line) as Row;
  if (row.label !== 0 || !row.source.includes(options.source)) continue;
  bySource.set(row.source, [...(bySource.get(row.source) ?? []), row]);
}

console.log("source                        KB     PERSON LOCATION ORGANIZATION per KB    MB/s");
for (const [source, rows] of bySource) measure(source, rows);

function measure(source: string, rows: readonly Row[]): void {
  const counts = new Map<string, number>();
  const shown: string[] = [];
  let characters = 0;
  const started = performance.now();
  for (const { text } of rows) {
    characters += text.length;
    for (const match of finder.find(text, Infinity).matches) {
      if (match.score < Number(options.threshold)) continue;
      const type = match.detector.entityType;
      counts.set(type, (counts.get(type) ?? 0) + 1);
      const context = text.slice(Math.max(0, match.start - 30), match.end + 30);
      shown.push(
        `${type.slice(0, 3)} ${match.score} «${text.slice(match.start, match.end)}» ${JSON.stringify(context)}`,
      );
    }
  }
  const seconds = (performance.now() - started) / 1000;
  const kb = characters / 1024;
  const rate = (type: string): string => ((counts.get(type) ?? 0) / kb).toFixed(3).padStart(9);
  const speed = (characters / 1e6 / seconds).toFixed(1).padStart(12);
  console.log(
    source.padEnd(26),
    kb.toFixed(0).padStart(6),
    rate("PERSON"),
    rate("LOCATION"),
    rate("ORGANIZATION"),
    speed,
  );
  const step = Math.max(1, Math.floor(shown.length / Math.max(1, Number(options.show))));
  if (Number(options.show) > 0)
    shown.filter((_, at) => at % step === 0).forEach((line) => console.log("    " + line));
}
