import { templates } from "./own-words.ts";
import type { Random } from "./random.ts";
import { type PieceLabel, Slots } from "./slots.ts";

export interface LabelledSpan {
  readonly start: number;
  readonly end: number;
  readonly label: Exclude<PieceLabel, undefined>;
}

export interface LabelledText {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

/** Writes labelled texts from the templates. */
export class Texts {
  readonly #random: Random;
  readonly #slots: Slots;
  readonly #templates = templates();

  constructor(random: Random) {
    this.#random = random;
    this.#slots = new Slots(random);
  }

  /** One to four templates of the same kind or of several, in one text. */
  next(): LabelledText {
    const random = this.#random;
    const count = random.chance(0.65) ? 1 : random.between(2, 4);
    const kind = this.#kind();
    let text = "";
    const spans: LabelledSpan[] = [];
    for (let part = 0; part < count; part++) {
      if (part > 0) text += random.pick([" ", " ", " ", "\n", "\n\n"]);
      const lines = random.chance(0.7) ? kind : this.#kind();
      const written = this.#write(random.pick(lines));
      for (const span of written.spans) {
        spans.push({ ...span, start: span.start + text.length, end: span.end + text.length });
      }
      text += written.text;
    }
    return this.#vary({ text, spans });
  }

  #kind(): readonly string[] {
    // people, places, addresses, organizations, forms, negatives, german, romance, northern
    const weights = [22, 16, 12, 9, 13, 14, 5, 5, 4];
    let draw = this.#random.below(100);
    for (const [at, weight] of weights.entries()) {
      draw -= weight;
      const lines = this.#templates[at];
      if (draw < 0 && lines !== undefined) return lines;
    }
    throw new RangeError("weights do not sum to 100");
  }

  #write(template: string): LabelledText {
    this.#slots.begin();
    let text = "";
    const spans: LabelledSpan[] = [];
    for (const part of template.split(/(\{[A-Za-z]+\})/)) {
      const slot = /^\{([A-Za-z]+)\}$/.exec(part)?.[1];
      if (slot === undefined) {
        text += part;
        continue;
      }
      for (const piece of this.#slots.fill(slot)) {
        const value = this.#spelled(piece.text, piece.label);
        if (piece.label !== undefined) {
          spans.push({ start: text.length, end: text.length + value.length, label: piece.label });
        }
        text += value;
      }
    }
    return { text, spans };
  }

  /** Names in capitals, and names typed without accents. */
  #spelled(value: string, label: PieceLabel): string {
    if (label === undefined || label === "organization") return value;
    if (this.#random.chance(0.05)) return value.toUpperCase();
    if (this.#random.chance(0.05)) return value.normalize("NFD").replace(/\p{M}/gu, "");
    return value;
  }

  /** Whole texts in lower case or in capitals. */
  #vary(text: LabelledText): LabelledText {
    const draw = this.#random.next();
    if (draw > 0.1) return text;
    const changed = draw < 0.075 ? text.text.toLowerCase() : text.text.toUpperCase();
    return changed.length === text.text.length ? { ...text, text: changed } : text;
  }
}
