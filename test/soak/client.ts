import type { Random } from "../sim/random.ts";
import type { Ask, Leave, Seen } from "./wire-client.ts";
import type { Witness } from "./witness.ts";

/** Secrets by what their keys are for; rotation replaces them while clients use them. */
export interface Secrets {
  plain: string;
  /** Of a key whose policy redacts in both directions. */
  redacted: string;
  /** Of a key with a low rate limit. */
  limited: string;
  /** Of another organization, which only scans. */
  scans: string;
}

/** What one client has at hand. */
export interface Client {
  readonly random: Random;
  readonly secrets: Readonly<Secrets>;
  readonly witness: Witness;
  /** The upstream that own-keys requests name. */
  readonly ownUpstream: string;
  readonly ask: (ask: Ask) => Promise<Seen>;
}

/** One of 500 texts, cut after so many words: what a worker remembers of them is soon all there is. */
export function someText(random: Random, wordsMax: number): string {
  const number = random.integer(0, 499);
  const length = 3 + (number % (wordsMax - 2));
  const words = Array.from(
    { length },
    (_, i) => vocabulary[(number * 7 + i * 3) % vocabulary.length] ?? "",
  );
  return `Note ${number}: ${words.join(" ")}. Write to jane.roe@example.com about PRJ-${1000 + number}.`;
}

const vocabulary =
  "river letter garden window market station orange winter train bridge paper summer kitchen lamp".split(
    " ",
  );

export function bearer(secret: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${secret}`, "content-type": "application/json" };
}

/** One client in eight leaves, at any point. */
export function maybeLeave(random: Random): { leave?: Leave } {
  if (!random.chance(0.12)) return {};
  const phase = random.pick("uploading", "waiting", "reading");
  return { leave: { while: phase, afterMs: Math.floor(random.next() ** 2 * 150) } };
}
