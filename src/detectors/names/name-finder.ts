import { readFileSync } from "node:fs";
import { nameWindowUnits } from "../../contract/limits.ts";
import type { EntityMatch } from "../entity.ts";
import { withEscapesRead } from "../spelled-escapes.ts";
import { characterKind, kindOfCharacter } from "./characters.ts";
import { NameFeatures } from "./features.ts";
import { Lexicon } from "./lexicon.ts";
import { type NamesModel, readModel } from "./model-file.ts";
import { Sentence } from "./sentence.ts";
import { collect } from "./spans.ts";
import { Tagger } from "./tagger.ts";
import { NameTokens } from "./tokens.ts";

export interface FoundNames {
  /** In the order of the text, without overlaps. */
  readonly matches: readonly EntityMatch[];
  /** False if the time ran out. Then the text after the last whole window was not searched. */
  readonly complete: boolean;
}

/** Finds names of persons, places and organizations from words and their context. */
export interface NameFinder {
  /** The model's version. Equal versions find the same names. */
  readonly version: string;
  /**
   * The work is linear in the text. At least one window of `nameWindowUnits` is searched, even
   * after the deadline.
   * @param deadlineMs on the clock of `performance.now()` in this thread.
   */
  find(text: string, deadlineMs: number): FoundNames;
}

/**
 * The file lies beside the sources. The path is right from src/ and from dist/, because both lie in
 * the project's root.
 */
const modelUrl = new URL("../../../src/detectors/names/names.bin", import.meta.url);

/** Reads the model from its file. Throws if the file is missing or is no model. */
export function loadNameFinder(file: URL | string = modelUrl): NameFinder {
  return createNameFinder(readModel(readFileSync(file)));
}

/** A finder over a model in memory; it is not reentrant, so every thread has its own. */
function createNameFinder(model: NamesModel): NameFinder {
  const tokens = new NameTokens();
  const sentence = new Sentence(tokens, new Lexicon(model.lexiconSlots));
  const features = new NameFeatures(sentence);
  const tagger = new Tagger(model.weights);

  function find(written: string, deadlineMs: number): FoundNames {
    const text = withEscapesRead(written);
    const matches: EntityMatch[] = [];
    for (let from = 0; from < text.length;) {
      if (from > 0 && performance.now() > deadlineMs) return { matches, complete: false };
      const to = windowEnd(text, from);
      tokens.read(text, from, to);
      sentence.read();
      tagger.run(text, sentence, features);
      collect(sentence, tagger, matches);
      from = to;
    }
    return { matches, complete: true };
  }
  return { version: `names-${model.version.toString(16)}`, find };
}

/** Where a window that begins at `from` ends: at an empty line, a line or a space, if it has one. */
function windowEnd(text: string, from: number): number {
  const last = from + nameWindowUnits;
  if (last >= text.length) return text.length;
  const first = last - nameWindowUnits / 4;
  const paragraph = text.lastIndexOf("\n\n", last - 2);
  if (paragraph >= first) return paragraph + 2;
  const line = text.lastIndexOf("\n", last - 1);
  if (line >= first) return line + 1;
  for (let at = last; at > first; at--) {
    if (kindOfCharacter[text.charCodeAt(at)] === characterKind.space) return at;
  }
  return last;
}
