/**
 * Speed of the entity detectors, by family and kind of text, beside the same patterns run one after
 * another as V8 regular expressions. By hand: `node bench/micro/entities.ts`.
 *
 * Then texts that are written to be slow. The prose has one e-mail address per kilobyte, the other texts have what such texts have.
 */
import { Bench } from "tinybench";
import { entityDetectors } from "../../src/detectors/catalog.ts";
import { EntityEngine } from "../../src/detectors/entity-engine.ts";
import type { EntityCategory, EntityDetector } from "../../src/detectors/entity.ts";
import { hostileTexts } from "./hostile-texts.ts";

const textBytes = 256 * 1024;
/** The loop of V8's expressions backtracks in hostile text, so it is shown a part. */
const loopCharacters = 16 * 1024;

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
  console.log(row(name, text.length, ms));
}

const all = new Set(families["all"]);
const loop = regExpLoop(entityDetectors);
for (const [kind, written] of Object.entries(hostileTexts)) {
  const text = written(textBytes);
  const engineMs = shortestMs(() => engine.scan(text, { categories: all, threshold: null }));
  console.log(row(`hostile, ${kind} | all`, text.length, engineMs));
  const part = text.slice(0, loopCharacters);
  const loopMs = shortestMs(() => loop(part));
  console.log(row(`hostile, ${kind} | all, V8 RegExp loop`, part.length, loopMs));
}

function row(name: string, characters: number, ms: number): string {
  return `${name.padEnd(60)} ${(characters / 1000 / ms).toFixed(2).padStart(8)} MB/s`;
}

/** The processor's time for one run once it is warm; on a shared machine the clock says less. */
function shortestMs(run: () => unknown): number {
  run();
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
