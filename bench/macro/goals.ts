import type { Figure, Goal } from "../report/figure.ts";
import { median } from "../report/statistics.ts";
import { slug } from "./figure-book.ts";

type Figures = readonly Figure[];

const [own, paid] = ["weir, own keys", "weir, pay-through"] as const;

/** What the whole process must reach beside its peers, and what it shall reach by itself. */
export const macroGoals: readonly Goal[] = [
  ...[own, paid].flatMap((weir) => [
    ratio(`CPU per small request ÷ nginx, without the scan: ${weir}`, 2.4, 1.75, (figures) =>
      withoutScan(figures, weir),
    ),
    ratio(`CPU per small request ÷ nginx, each text scored: ${weir}`, 4, 3, (figures) =>
      quotient(figures, `macro/json/16/cpu/${slug(weir)}`, "macro/json/16/cpu/nginx"),
    ),
    ratio(`CPU per small request ÷ Portkey, each text scored: ${weir}`, 1 / 12, 1 / 20, (figures) =>
      quotient(figures, `macro/json/16/cpu/${slug(weir)}`, "macro/json/16/cpu/portkey"),
    ),
  ]),
  {
    ...figure(`macro/latency/json/added/${slug(own)}`, "Added latency p50, JSON, own keys", "ms"),
    mustReach: 0.25,
    aim: 0.12,
  },
  ...[own, paid].map((weir) => ({
    ...figure(
      `macro/latency/stream/added/${slug(weir)}`,
      `Added latency p50, first event: ${weir}`,
      "ms",
    ),
    mustReach: 0.25,
    aim: 0.12,
  })),
  ...[own, paid].flatMap((weir): Goal[] => [
    ratio(`CPU per event ÷ nginx: ${weir}`, 1.7, 1.4, (figures) =>
      quotient(figures, `macro/paced/cpu/${slug(weir)}`, "macro/paced/cpu/nginx"),
    ),
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

/**
 * Nobody can turn the scan off, but a request that was sent before has a verdict already: all is done
 * with it that is done with others, but for the scan, in whose place its bytes are hashed.
 */
function withoutScan(figures: Figures, weir: string): number | null {
  return quotient(figures, `macro/json/16/cpu-seen/${slug(weir)}`, "macro/json/16/cpu/nginx");
}

/**
 * How much a turn that was scanned before adds to the scan of a request, as a share of what a turn adds
 * that was not. A scan that grew with the conversation's length would have 1; one that costs a turn
 * and nothing else would have 0.
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

/** The median, or null where it was not measured. */
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
 * Each round by itself, then the median: what the machine did to one of the two it did to the other,
 * which was measured seconds away.
 */
function quotient(figures: Figures, above: string, below: string): number | null {
  const [upper, lower] = [rounds(figures, above), rounds(figures, below)];
  const each = upper.slice(0, lower.length).map((value, round) => value / (lower[round] ?? NaN));
  return each.length === 0 ? null : median(each);
}
