import { loadModelFile } from "../../src/detectors/injection/load-model.ts";
import { ModelDetector } from "../../src/detectors/injection/model-detector.ts";
import { loadQuietModel } from "../../src/detectors/injection/quiet/quiet-model.ts";
import { QuietScorer } from "../../src/detectors/injection/quiet/quiet-scorer.ts";
import { readModel } from "../../src/detectors/injection/model-file.ts";
import { countTokens } from "../../src/workers/tokenize/token-count.ts";
import type { OpenSuite, Suite } from "./suite.ts";
import { prose, textKinds } from "./texts.ts";
import { speed, time } from "./timing.ts";

/** The injection score and the count of tokens, on texts of the usual kinds. */
export const textSuite: Suite = { id: "text", group: "Injection score, tokens", open };

const longBytes = 16 * 1_024;
const shortBytes = 1_024;

function open(): OpenSuite {
  const detector = new ModelDetector(readModel(loadModelFile()));
  const quiet = new QuietScorer(loadQuietModel());
  const context = quiet.begin();
  const short = Buffer.from(prose(shortBytes));
  const pieces = [
    time("injection/1KB", { label: "Injection score of 1 KB of prose" }, () =>
      detector.score(short, "user"),
    ),
    ...Object.entries(textKinds).map(([kind, textOf]) => {
      const utf8 = Buffer.from(textOf(longBytes));
      const told = { label: `Injection score, a KB of ${kind}`, note: "of 16 KB" };
      return time(`injection/${kind}`, { ...told, per: longBytes / 1_024 }, () =>
        detector.score(utf8, "user"),
      );
    }),
    ...Object.entries(textKinds).map(([kind, textOf]) => {
      const utf8 = Buffer.from(textOf(longBytes));
      const told = { label: `Quiet injections, a KB of ${kind}`, note: "of 16 KB" };
      return time(`injection/quiet/${kind}`, { ...told, per: longBytes / 1_024 }, () =>
        quiet.score(utf8, context),
      );
    }),
    ...Object.entries(textKinds).map(([kind, textOf]) => {
      const text = textOf(longBytes);
      return speed(`tokens/${kind}`, text.length, { label: `Tokens of ${kind}` }, () =>
        countTokens(text),
      );
    }),
  ];
  return { pieces };
}
