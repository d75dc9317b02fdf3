import { entityDetectors } from "../../src/detectors/catalog.ts";
import { EntityEngine } from "../../src/detectors/entity-engine.ts";
import type { EntityCategory, EntityDetector } from "../../src/detectors/entity.ts";
import { loadNameFinder } from "../../src/detectors/names/name-finder.ts";
import { hostileTexts } from "./hostile-texts.ts";
import type { OpenSuite, Piece, Suite } from "./suite.ts";
import { textKinds } from "./texts.ts";
import { once, speed } from "./timing.ts";

const textBytes = 128 * 1_024;
const shortBytes = 1_024;
const hostileBytes = 64 * 1_024;
/** The loop with V8's expressions is slow, so it gets only a part of the text. */
const loopCharacters = 8 * 1_024;

/**
 * Entity detectors by family, on texts of 128 KB; the prose has one e-mail address per kilobyte.
 */
export const entitySuite: Suite = { id: "entities", group: "Entity detectors", open };

const families: Readonly<Record<string, readonly EntityCategory[]>> = {
  pii: ["pii"],
  phi: ["phi"],
  credential: ["credential"],
  all: ["pii", "phi", "credential"],
};

function open(): OpenSuite {
  const engine = new EntityEngine(entityDetectors);
  const names = loadNameFinder();
  const pieces: Piece[] = [];
  const patterns = (id: string, label: string, text: string, family: string): Piece => {
    const categories = new Set(families[family]);
    return speed(id, text.length, { label }, () =>
      engine.scan(text, { categories, threshold: null }),
    );
  };
  for (const [kind, textOf] of Object.entries(textKinds)) {
    const text = textOf(textBytes);
    for (const family of Object.keys(families)) {
      pieces.push(patterns(`${kind}/${family}`, `${kind}: ${familyLabel(family)}`, text, family));
    }
    pieces.push(
      speed(`${kind}/names`, text.length, { label: `${kind}: names` }, () =>
        names.find(text, Infinity),
      ),
    );
    const part = text.slice(0, loopCharacters);
    const label = `${kind}: ${familyLabel("all")}`;
    const told = { label, subject: "V8 RegExp loop", note: `on ${loopCharacters} characters` };
    pieces.push(speed(`${kind}/all/loop`, part.length, told, regExpLoop(entityDetectors, part)));
  }
  const short = textKinds["prose"]?.(shortBytes) ?? "";
  pieces.push(patterns("short/all", "prose of 1 KB: all patterns", short, "all"));
  for (const [kind, written] of Object.entries(hostileTexts)) {
    const id = `hostile/${kind.replaceAll(" ", "-")}`;
    pieces.push(once(patterns(id, `hostile, ${kind}: all patterns`, written(hostileBytes), "all")));
  }
  return { pieces };
}

function familyLabel(family: string): string {
  return family === "all" ? "all patterns" : `${family} patterns`;
}

/** The comparison for the engine: every pattern over the whole text, with V8's engine. */
function regExpLoop(detectors: readonly EntityDetector[], text: string): () => unknown {
  const patterns = detectors.flatMap(({ pattern, caseInsensitive }) => {
    try {
      // V8 lacks RE2's inline flags, so such a pattern is left out. That favours the loop.
      return [new RegExp(pattern, caseInsensitive ? "gi" : "g")];
    } catch {
      return [];
    }
  });
  return () => patterns.reduce((hits, regex) => hits + (text.match(regex)?.length ?? 0), 0);
}
