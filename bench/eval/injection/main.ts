// Measures the prompt-injection detector: `npm run eval:injection -- --data FOLDER`, which reports
// half of the rows and leaves the other half for tuning; or `-- --jsonl FILE` for an operator's own
// traffic, with one {"text", "segment", "label"} on each line.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadModelFile } from "../../../src/detectors/injection/load-model.ts";
import { ModelDetector } from "../../../src/detectors/injection/model-detector.ts";
import { readModel } from "../../../src/detectors/injection/model-file.ts";
import { loadQuietModel } from "../../../src/detectors/injection/quiet/quiet-model.ts";
import { QuietScorer } from "../../../src/detectors/injection/quiet/quiet-scorer.ts";
import { halfOf, type Half } from "../rows.ts";
import { readHeldOut, readQuiet, readSessions } from "../../../training/injection/rows.ts";
import { readHeldOutHarness, reportHarness } from "./harness.ts";
import { reportQuiet } from "./quiet.ts";
import { report, reportHeldOut, reportSessions } from "./report.ts";
import { readInjectionRows } from "./rows.ts";

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    jsonl: { type: "string" },
    half: { type: "string", default: "reporting" },
    model: { type: "string" },
  },
});
const half = options.half as Half;
const file = options.jsonl ?? dataFile(options.data);
const isOwn = options.jsonl !== undefined;

const detector = new ModelDetector(readModel(loadModelFile(options.model)));
const rows = readInjectionRows(file).filter(
  ({ text }) => isOwn || half === "all" || halfOf(text) === half,
);
console.log(`${detector.version}, ${rows.length} rows${isOwn ? "" : ` (${half} half)`}`);
report(detector, rows);
if (!isOwn) {
  reportSessions(detector, readSessions());
  reportHeldOut(detector, readHeldOut());
  reportHarness(detector, rows, readHeldOutHarness());
  const scorer = new QuietScorer(loadQuietModel());
  reportQuiet(detector, scorer, readQuiet("held-out"), rows, readSessions());
}

function dataFile(folder: string | undefined): string {
  if (folder === undefined) throw new Error("name the data: --data FOLDER, or --jsonl FILE");
  return join(folder, "prompt_injection.jsonl.gz");
}
