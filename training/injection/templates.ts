import { readFileSync } from "node:fs";
import type { Segment } from "../../src/contract/scan.ts";
import type { Random } from "../names/random.ts";

/** A text made from a template. */
export interface Generated {
  readonly text: string;
  readonly segment: Segment;
  readonly label: 0 | 1;
}

type Line = Pick<Generated, "segment" | "label"> & { readonly line: string };

const folder = new URL("templates/", import.meta.url);

/** What each file's texts are; those for tools are planted into documents. */
const files: Readonly<Record<string, Pick<Generated, "segment" | "label">>> = {
  "direct.txt": { segment: "user", label: 1 },
  "jailbreaks.txt": { segment: "user", label: 1 },
  "multilingual.txt": { segment: "user", label: 1 },
  "tricks.txt": { segment: "user", label: 1 },
  "indirect.txt": { segment: "tool", label: 1 },
  "tasks.txt": { segment: "tool", label: 1 },
  "honest.txt": { segment: "user", label: 0 },
};

/** All templates, for the hash of what a model is trained from. */
export function templatesText(): string {
  return Object.keys(files).map(textOf).join("\0");
}

function textOf(file: string): string {
  return readFileSync(new URL(file, folder), "utf8");
}

/** Slots inside slots. */
const depthMax = 8;

/** Texts from templates: lines with slots, each filled at random. Slots are common to all files. */
export class Templates {
  readonly #lines: Readonly<Record<0 | 1, readonly Line[]>>;
  readonly #slots = new Map<string, readonly string[]>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
    const lines = Object.keys(files).flatMap((file) => this.#read(file));
    this.#lines = [
      lines.filter(({ label }) => label === 0),
      lines.filter(({ label }) => label === 1),
    ];
  }

  next(label: 0 | 1): Generated {
    const { line, segment } = this.#random.pick(this.#lines[label]);
    const text = this.#filled(line, 0)
      .replaceAll("\\n", "\n")
      .replaceAll("¦", "|")
      .replace(/ {2,}/g, " ");
    return {
      text: this.#random.chance(0.7) ? capitalized(text.trim()) : text.trim(),
      segment,
      label,
    };
  }

  #read(file: string): Line[] {
    const kind = files[file] ?? { segment: "user", label: 1 };
    const lines = textOf(file).split("\n");
    return lines.flatMap((line) => {
      if (line === "" || line.startsWith("# ")) return [];
      const slot = /^@(\w+) = (.*)$/.exec(line);
      if (slot === null) return [{ line, ...kind }];
      const [, name = "", words = ""] = slot;
      this.#slots.set(
        name,
        words.split("|").map((word) => word.trim()),
      );
      return [];
    });
  }

  #filled(line: string, depth: number): string {
    if (depth > depthMax) return line;
    return line.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const words = this.#slots.get(name);
      return words === undefined ? whole : this.#filled(this.#random.pick(words), depth + 1);
    });
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
