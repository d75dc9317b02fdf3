import type { Figure, Goal } from "../report/figure.ts";
import { median } from "../report/statistics.ts";
import { slug } from "./figure-book.ts";

type Figures = readonly Figure[];

const [own, paid] = ["weir, own keys", "weir, pay-through"] as const;

/** The bare proxy with which the goals compare Weir. */
const bare = "uWS + undici";

/** Goals of the whole process: those relative to its peers, and those of its own. */
export const macroGoals: readonly Goal[] = [
  cpuOverBare("request sent before", own, "cpu-seen", 2, 1.5),
  cpuOverBare("each text scored", own, "cpu", 3, 2.2),
  cpuOverBare("request sent before", paid, "cpu-seen", 5.5, 3.5),
  cpuOverBare("each text scored", paid, "cpu", 6.5, 4.5),
  ratio(`CPU per small request ÷ Portkey, each text scored: ${own}`, 1 / 6, 1 / 12, (figures) =>
    quotient(figures, `macro/json/16/cpu/${slug(own)}`, "macro/json/16/cpu/portkey"),
  ),
  ...[own, paid].map((weir) =>
    ratio(`CPU per event ÷ ${bare}: ${weir}`, 1, 0.8, (figures) =>
      quotient(figures, `macro/paced/cpu/${slug(weir)}`, `macro/paced/cpu/${slug(bare)}`),
    ),
  ),
  latencyOverBare("request sent before", "added-seen", 0.1, 0.05),
  latencyOverBare("each text scored", "added", 0.2, 0.1),
  ownAnswer("Refusal of a missing key", "no-key", 2, 1.3),
  ownAnswer("Refusal of a wrong key", "wrong-key", 2, 1.3),
  ownAnswer("Scan of 1 KiB, injection alone", "scan", 5, 3),
  ...[own, paid].flatMap((weir): Goal[] => [
    ratio(`First-byte delay added ÷ nginx's: ${weir}`, 3, 1.5, (figures) =>
      quotient(
        figures,
        `macro/latency/stream/added/${slug(weir)}`,
        "macro/latency/stream/added/nginx",
      ),
    ),
    {
      ...figure(`macro/paced/alone/${slug(weir)}`, `Events delivered one by one: ${weir}`, "share"),
      better: "higher",
      mustReach: 0.99,
      aim: null,
    },
    ratio(`100 MB of images, time ÷ nginx: ${weir}`, 3, 1.3, (figures) =>
      quotient(figures, `macro/upload-media/time/${slug(weir)}`, "macro/upload-media/time/nginx"),
    ),
    {
      figure: `macro/upload-media/memory/${slug(weir)}`,
      label: `100 MB of images, peak − idle memory, highest: ${weir}`,
      unit: "MB",
      better: "lower",
      mustReach: 256,
      aim: 128,
      value: (figures: Figures) => highest(figures, `macro/upload-media/memory/${slug(weir)}`),
    },
    {
      ...figure(`macro/open-streams/memory/${slug(weir)}`, `Memory per open stream: ${weir}`, "KB"),
      mustReach: 40,
      aim: 20,
    },
  ]),
  ratio("Scan: an old turn of a conversation ÷ a new one", 0.25, 0.1, oldTurnShare),
];

/** CPU of all threads for a small request over 16 connections, as a multiple of the bare proxy's. */
function cpuOverBare(
  text: string,
  weir: string,
  what: string,
  mustReach: number,
  aim: number,
): Goal {
  const label = `CPU per small request ÷ ${bare}, ${text}: ${weir}`;
  return ratio(label, mustReach, aim, (figures) =>
    quotient(figures, `macro/json/16/${what}/${slug(weir)}`, `macro/json/16/cpu/${slug(bare)}`),
  );
}

/** The cost of an answer that Weir gives by itself, as a multiple of the bare proxy's cost to relay one. */
function ownAnswer(label: string, what: string, mustReach: number, aim: number): Goal {
  return ratio(`${label}, CPU ÷ ${bare}`, mustReach, aim, (figures) =>
    quotient(
      figures,
      `macro/own-answers/cpu-${what}/${slug(paid)}`,
      `macro/json/16/cpu/${slug(bare)}`,
    ),
  );
}

function latencyOverBare(text: string, what: string, mustReach: number, aim: number): Goal {
  const label = `Added latency p50 over ${bare}, JSON, ${text}: ${own}`;
  const value = (figures: Figures): number | null => {
    const added = of(figures, `macro/latency/json/${what}/${slug(own)}`);
    const base = of(figures, `macro/latency/json/added/${slug(bare)}`);
    return added === null || base === null ? null : added - base;
  };
  return {
    figure: `macro/added/${slug(label)}`,
    label,
    better: "lower",
    mustReach,
    aim,
    unit: "ms",
    value,
  };
}

/**
 * The cost that an already scanned turn adds to the scan of a request, as a share of the cost of a new
 * turn. It would be 1 if the scan grew with the conversation's length, and 0 if only the new turn cost
 * anything.
 */
function oldTurnShare(figures: Figures): number | null {
  const scan = (what: string): number | null =>
    of(figures, `macro/conversation/scan-${what}/${slug(own)}`);
  const [early, late, unseen] = [scan("4"), scan("38"), scan("unseen")];
  if (early === null || late === null || unseen === null) return null;
  return (late - early) / (38 - 4) / ((unseen - early) / (40 - 4));
}

function ratio(
  label: string,
  mustReach: number,
  aim: number | null,
  value: (figures: Figures) => number | null,
): Goal {
  const id = `macro/ratio/${slug(label)}`;
  return { figure: id, label, better: "lower", mustReach, aim, unit: "×", value };
}

function figure(id: string, label: string, unit: string): Omit<Goal, "mustReach" | "aim"> {
  return { figure: id, label, unit, better: "lower", value: (figures) => of(figures, id) };
}

/** The median, or null if it was not measured. */
function of(figures: Figures, id: string): number | null {
  const all = rounds(figures, id);
  return all.length === 0 ? null : median(all);
}

function highest(figures: Figures, id: string): number | null {
  const all = rounds(figures, id);
  return all.length === 0 ? null : Math.max(...all);
}

function rounds(figures: Figures, id: string): readonly number[] {
  return figures.find((each) => each.id === id)?.rounds ?? [];
}

/**
 * The median of the quotients of each round. The two values of a round were measured within seconds,
 * so the state of the machine affected both in the same way.
 */
function quotient(figures: Figures, above: string, below: string): number | null {
  const [upper, lower] = [rounds(figures, above), rounds(figures, below)];
  const each = upper.slice(0, lower.length).map((value, round) => value / (lower[round] ?? NaN));
  return each.length === 0 ? null : median(each);
}
