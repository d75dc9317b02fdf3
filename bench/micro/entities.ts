/**
 * Speed of the entity detectors, by family and kind of text, beside the same patterns run one after
 * another as V8 regular expressions. By hand: `node bench/micro/entities.ts`.
 *
 * The prose has one e-mail address per kilobyte, the other texts have what such texts have.
 */
import { Bench } from "tinybench";
import { entityDetectors } from "../../src/detectors/catalog.ts";
import { EntityEngine } from "../../src/detectors/entity-engine.ts";
import type { EntityCategory, EntityDetector } from "../../src/detectors/entity.ts";

const textBytes = 256 * 1024;

/** Repeats a piece that changes with its number up to the size of a text. */
function filled(piece: (n: number) => string): string {
  let text = "";
  for (let n = 0; text.length < textBytes; n++) text += piece(n);
  return text;
}

const sentence = "The harbour was quiet that morning, and the ferries waited for the fog to lift. ";
const texts: Readonly<Record<string, string>> = {
  "prose, one hit per KB": filled((n) => `${sentence.repeat(12)}Write to n${n}@example.org. `),
  JSON: filled((n) => `{"id":${n},"name":"row ${n}","tags":["a","b"],"ratio":0.${n}},\n`),
  "source code": filled((n) => `  const total${n} = sum(rows[${n}].price) ?? limits.max;\n`),
  base64: Buffer.from(
    Uint8Array.from({ length: textBytes }, (_, i) => i * 167 + (i >> 7)),
  ).toString("base64"),
};

const families: Readonly<Record<string, readonly EntityCategory[]>> = {
  pii: ["pii"],
  phi: ["phi"],
  credential: ["credential"],
  all: ["pii", "phi", "credential"],
};

/** What the engine is measured against: every pattern over the whole text, with V8's engine. */
function regExpLoop(detectors: readonly EntityDetector[]): (text: string) => number {
  const patterns = detectors.flatMap(({ pattern, caseInsensitive }) => {
    try {
      // RE2's inline flags are not V8's; such a pattern is left out, in the loop's favour.
      return [new RegExp(pattern, caseInsensitive ? "gi" : "g")];
    } catch {
      return [];
    }
  });
  return (text) => patterns.reduce((hits, regex) => hits + (text.match(regex)?.length ?? 0), 0);
}

const engine = new EntityEngine(entityDetectors);
const bench = new Bench({ time: 300, warmupTime: 200 });
for (const [kind, text] of Object.entries(texts)) {
  for (const [family, categories] of Object.entries(families)) {
    const wanted = new Set(categories);
    bench.add(`${kind} | ${family}`, () => {
      engine.scan(text, { categories: wanted, threshold: null });
    });
  }
  const loop = regExpLoop(entityDetectors);
  bench.add(`${kind} | all, V8 RegExp loop`, () => {
    loop(text);
  });
}
await bench.run();

console.log(`${entityDetectors.length} detectors, texts of 256 KB`);
for (const { name, result } of bench.tasks) {
  const ms = "latency" in result ? result.latency.p50 : Number.NaN;
  const text = texts[name.split(" | ")[0] ?? ""] ?? "";
  console.log(`${name.padEnd(50)} ${(text.length / 1000 / ms).toFixed(1).padStart(8)} MB/s`);
}
