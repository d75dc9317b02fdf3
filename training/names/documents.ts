import { readFileSync } from "node:fs";
import { nameWindowUnits } from "../../src/contract/limits.ts";
import { fact, type Lexicon } from "../../src/detectors/names/lexicon.ts";
import { shape, NameTokens } from "../../src/detectors/names/tokens.ts";
import type { Random } from "./random.ts";
import type { LabelledText } from "./texts.ts";

/** Code and technical prose in which hardly anyone is named; they come with the development packages. */
const files = [
  "typescript/lib/lib.dom.d.ts",
  "typescript/lib/lib.es5.d.ts",
  "typescript/lib/typescript.d.ts",
  ..."fs http crypto stream util url path net events process child_process worker_threads http2 tls"
    .split(" ")
    .map((name) => `@types/node/${name}.d.ts`),
];
const linesMax = 12;

/** Pieces of real code and documentation, as texts without names. */
export class Documents {
  readonly #lines: string[];
  readonly #tokens = new NameTokens();
  readonly #lexicon: Lexicon;
  readonly #random: Random;

  constructor(lexicon: Lexicon, random: Random) {
    this.#lexicon = lexicon;
    this.#random = random;
    this.#lines = files.flatMap((file) =>
      readFileSync(new URL(`../../node_modules/${file}`, import.meta.url), "utf8").split("\n"),
    );
  }

  /** A piece that holds no listed name. */
  next(): LabelledText {
    for (;;) {
      const from = this.#random.below(this.#lines.length);
      const lines = this.#lines.slice(from, from + this.#random.between(1, linesMax));
      const text = lines.join("\n").slice(0, nameWindowUnits);
      if (!this.#hasName(text)) return { text, spans: [] };
    }
  }

  #hasName(text: string): boolean {
    this.#tokens.read(text, 0, text.length);
    for (let i = 0; i < this.#tokens.count; i++) {
      if (this.#tokens.shape[i] !== shape.capitalized) continue;
      const known = this.#lexicon.look(this.#tokens.hash[i] ?? 0);
      if (fact.common(known) > 0 || fact.isCalendarOrNation(known)) continue;
      if (fact.given(known) > 1 || fact.place(known) > 1) return true;
    }
    return false;
  }
}
