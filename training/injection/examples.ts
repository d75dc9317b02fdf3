import type { Segment } from "../../src/contract/scan.ts";
import type { Random } from "../names/random.ts";
import { evasions, mixedEvasions } from "./evasions.ts";
import type { Row } from "./rows.ts";
import { Templates } from "./templates.ts";

/** A text as the learner sees it in one epoch. */
export interface Example {
  readonly text: string;
  readonly segment: Segment;
  readonly label: 0 | 1;
  readonly weight: number;
  /** Where the attack stands, UTF-16 offsets; the whole text where it is not known. */
  readonly from: number;
  readonly to: number;
}

export interface ExampleOptions {
  /** Share of attacks that are disguised. */
  readonly evasion: number;
  /** Share of honest texts in a writing that honest people choose too, so that it alone is no attack. */
  readonly honestWriting: number;
  /** Share of honest texts in a disguise that few honest people have a reason for. */
  readonly honestDisguise: number;
  /** Share of short attacks that are planted into a document, by epoch. */
  readonly planted: number;
  /** Honest requests that are planted into a document, for every attack: out of place they are orders. */
  readonly tasks: number;
  /** Weight of such a planted request. */
  readonly taskWeight: number;
  /** Such requests that are all that a tool says, for every attack: what it found may be a question. */
  readonly bareTasks: number;
  /** Share of generated attacks that are all that a tool says. */
  readonly bareAttacks: number;
  /** Attacks and honest requests from templates in an epoch, for every row. */
  readonly generated: number;
  readonly generatedHonest: number;
  readonly generatedWeight: number;
}

export const exampleDefaults: ExampleOptions = {
  evasion: 0.5,
  honestWriting: 0.15,
  honestDisguise: 0.03,
  planted: 0.4,
  tasks: 0.4,
  taskWeight: 0.5,
  bareTasks: 0.15,
  bareAttacks: 0.2,
  generated: 0.6,
  generatedHonest: 0.2,
  generatedWeight: 1.5,
};

/** Names of members of what tools answer, and of their definitions. */
const memberNames =
  "description text content title body message note result summary name value comment status data output reason query subject id type".split(
    " ",
  );

/** An attack up to this length may be planted. */
const plantedCharsMax = 600;
/** As much of a document around what is planted is kept, each side. */
const hostCharsMax = 2_000;

/** Every way to disguise a text, the mixed ones as often as all others. */
const disguises = [
  ...Object.values(evasions),
  ...Object.values(mixedEvasions),
  ...Object.values(mixedEvasions),
];

/** Ways that honest texts are written in too: shouted, sloppy, in a wide font, encoded for transport. */
const writings = [
  ...[evasions.upperCase, evasions.lowerCase, evasions.mixedCase, evasions.fullwidth],
  ...[evasions.entities, evasions.url, evasions.base64, evasions.comments],
  ...[mixedEvasions.wideSpaces, mixedEvasions.stops, mixedEvasions.misspelled],
];

/** Turns labelled rows into an epoch's examples, new ones each time. */
export class Examples {
  readonly #rows: readonly Row[];
  readonly #weights: readonly number[];
  readonly #hosts: readonly Row[];
  readonly #tasks: readonly Row[];
  readonly #options: ExampleOptions;
  readonly #random: Random;
  readonly #templates: Templates;

  constructor(rows: readonly Row[], random: Random, options: ExampleOptions = exampleDefaults) {
    this.#rows = rows;
    this.#weights = weightsOf(rows);
    this.#hosts = rows.filter(({ label, segment }) => label === 0 && segment === "tool");
    this.#tasks = rows.filter(isTask);
    this.#options = options;
    this.#random = random;
    this.#templates = new Templates(random);
  }

  /** One epoch in random order. */
  *epoch(): Generator<Example> {
    const order = this.#random.shuffle([...this.#rows.keys()]);
    const { tasks, taskWeight, bareTasks, generated, generatedHonest } = this.#options;
    for (const index of order) {
      const row = this.#rows[index];
      if (row === undefined) continue;
      yield this.#example(row, this.#weights[index] ?? 1);
      if (row.label === 1 && this.#tasks.length > 0 && this.#random.chance(tasks)) {
        yield this.#plant(this.#random.pick(this.#tasks).text, taskWeight);
      }
      if (row.label === 1 && this.#tasks.length > 0 && this.#random.chance(bareTasks)) {
        const task = this.#random.pick(this.#tasks).text;
        const text = this.#random.chance(0.5) ? this.#members(task) : task;
        yield { text, segment: "tool", label: 0, weight: taskWeight, from: 0, to: text.length };
      }
      if (this.#random.chance(generated)) yield this.#generated(1);
      if (this.#random.chance(generatedHonest)) yield this.#generated(0);
    }
  }

  #example(row: Row, weight: number): Example {
    const { evasion, planted } = this.#options;
    const random = this.#random;
    if (row.label === 0) {
      const text = this.#honest(row.text);
      return { ...row, text, weight, from: 0, to: text.length };
    }
    const disguised = random.chance(evasion);
    if (row.needle !== undefined) {
      const at = row.text.indexOf(row.needle);
      if (at >= 0) {
        const needle = disguised ? this.#disguise(row.needle) : row.needle;
        const text = row.text.slice(0, at) + needle + row.text.slice(at + row.needle.length);
        return { ...row, text, weight, from: at, to: at + needle.length };
      }
    }
    const text = disguised ? this.#disguise(row.text) : row.text;
    if (text.length <= plantedCharsMax && random.chance(planted)) return this.#plant(text, weight);
    return { ...row, text, weight, from: 0, to: text.length };
  }

  #generated(label: 0 | 1): Example {
    const { evasion, planted, bareAttacks, generatedWeight: weight } = this.#options;
    const { text: plain, segment } = this.#templates.next(label);
    if (label === 0) {
      const text = this.#honest(plain);
      return { text, segment, label, weight, from: 0, to: text.length };
    }
    const text = this.#random.chance(evasion) ? this.#disguise(plain) : plain;
    if (this.#random.chance(bareAttacks)) {
      const said = this.#random.chance(0.5) ? this.#members(text) : text;
      return { text: said, segment: "tool", label, weight, from: 0, to: said.length };
    }
    if (segment === "tool" || this.#random.chance(planted / 2)) return this.#plant(text, weight);
    return { text, segment, label, weight, from: 0, to: text.length };
  }

  /** As the scanner reads JSON: keys and values, a line each. */
  #members(value: string): string {
    const name = (): string => this.#random.pick(memberNames);
    const before = this.#random.chance(0.3) ? `${name()}\n${name()}\n` : "";
    return `${before}${name()}\n${value}`;
  }

  #honest(text: string): string {
    const { honestWriting, honestDisguise } = this.#options;
    if (this.#random.chance(honestDisguise)) return this.#disguise(text);
    return this.#random.chance(honestWriting)
      ? this.#random.pick(writings)(text, this.#random)
      : text;
  }

  #disguise(text: string): string {
    return this.#random.pick(disguises)(text, this.#random);
  }

  /** Puts a text into a document, between two lines or sentences. */
  #plant(attack: string, weight: number): Example {
    if (this.#hosts.length === 0) {
      return { text: attack, segment: "tool", label: 1, weight, from: 0, to: attack.length };
    }
    const host = this.#random.pick(this.#hosts).text;
    const wanted = this.#random.below(host.length + 1);
    const at = breakNear(host, wanted);
    const before = host.slice(Math.max(0, at - hostCharsMax), at);
    const glue = this.#random.pick([" ", "\n", "\n\n", " "]);
    const text = `${before}${glue}${attack}${glue}${host.slice(at, at + hostCharsMax)}`;
    const from = before.length + glue.length;
    return { text, segment: "tool", label: 1, weight, from, to: from + attack.length };
  }
}

/** The end of the line or sentence around an offset, or of the word. */
function breakNear(text: string, wanted: number): number {
  for (const mark of ["\n", ". ", " "]) {
    const at = text.indexOf(mark, wanted);
    if (at >= 0 && at - wanted < 200) return at + mark.length;
  }
  return text.length;
}

/** A request to a model that makes sense only where a user says it. */
function isTask({ label, segment, text, source }: Row): boolean {
  return (
    label === 0 &&
    segment === "user" &&
    text.length < 200 &&
    /^(alpaca_seed|codealpaca2k|gpteacher_|gsm8k|deepset)/.test(source)
  );
}

/** A large source may not drown the small ones; in each segment both labels weigh the same in all. */
function weightsOf(rows: readonly Row[]): number[] {
  const counts = new Map<string, number>();
  const keyOf = ({ source, label }: Row): string => `${source}|${label}`;
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  const weights = rows.map((row) => (row.weight ?? 1) * (counts.get(keyOf(row)) ?? 1) ** -0.25);
  const totals = new Map<string, number>();
  const sideOf = ({ segment, label }: Row): string => `${segment}|${label}`;
  for (const [index, row] of rows.entries()) {
    totals.set(sideOf(row), (totals.get(sideOf(row)) ?? 0) + (weights[index] ?? 0));
  }
  return rows.map((row, index) => {
    const share = (weights[index] ?? 0) / (totals.get(sideOf(row)) ?? 1);
    return share * (rows.length / totals.size);
  });
}
