// The macro part of the bench alone: `node bench/macro/main.ts [--rounds N] [--only PREFIX] [--quick]`.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Figure } from "../report/figure.ts";
import { isAsked, type RunOptions } from "../report/run-options.ts";
import { fullScale, quickScale, type Bench } from "./bench.ts";
import { Children } from "./children.ts";
import { FigureBook } from "./figure-book.ts";
import { Generator } from "./generator/generator.ts";
import { burstBehaviour, events, pacedBehaviour } from "./loads/events.ts";
import { latency, shortStream } from "./loads/latency.ts";
import { jsonBehaviour, smallJson } from "./loads/small-json.ts";
import { printFigures } from "./print.ts";
import { Provider } from "./provider/provider.ts";
import { direct } from "./subjects/direct.ts";
import { nginxHint, nginxIsInstalled, startNginx } from "./subjects/nginx.ts";
import { portkeyHint, portkeyIsInstalled, startPortkey } from "./subjects/portkey.ts";
import type { Subject } from "./subjects/subject.ts";
import { startWeir } from "./subjects/weir.ts";
import { warmUp } from "./warm-up.ts";
import { wrkHint, wrkIsInstalled } from "./wrk.ts";

export interface MacroOptions extends RunOptions {
  /** Instead of those that the scale has. */
  readonly rounds?: number;
  /** Built programs of Weir, the one under test first; without any, that of this clone. */
  readonly programs?: readonly string[];
  /** False: nobody but the provider and Weir. */
  readonly withPeers?: boolean;
}

/** Beginnings of their figures' ids, and who measures them. */
const loads = [
  ["macro/json", smallJson],
  ["macro/latency", latency],
  ["macro/paced", events],
] as const;

const defaultProgram = join(import.meta.dirname, "../../dist/main.js");

/** Starts everything, measures, and ends all that it has started. Rejects where Weir can't start. */
export async function runMacro(options: MacroOptions): Promise<readonly Figure[]> {
  const asked = loads.filter(([prefix]) => isAsked(options.only, prefix));
  if (asked.length === 0) return [];
  const children = new Children();
  try {
    const bench = await prepared(children, options);
    options.progress("macro: warming up");
    await warmUp(bench);
    for (const [prefix, load] of asked) {
      options.progress(prefix);
      await load(bench);
    }
    return bench.book.figures();
  } finally {
    await children.close();
  }
}

async function prepared(children: Children, options: MacroOptions): Promise<Bench> {
  const { progress, quick, rounds, withPeers = true } = options;
  const scale = quick ? quickScale : fullScale;
  const provider = await Provider.start(children);
  const subjects: Subject[] = [direct(provider.port)];
  if (withPeers) {
    if (nginxIsInstalled()) subjects.push(await startNginx(children, provider.port));
    else progress(nginxHint);
    if (portkeyIsInstalled()) subjects.push(await startPortkey(children, provider.port));
    else progress(portkeyHint);
  }
  const behaviours = [
    jsonBehaviour,
    shortStream,
    pacedBehaviour(scale.pacedEvents),
    burstBehaviour(scale.burstEvents),
  ];
  const weirs = [];
  for (const [index, program] of (options.programs ?? [defaultProgram]).entries()) {
    if (!existsSync(program)) throw new Error(`${program} is not built: npm run build`);
    const name = index === 0 ? "weir" : `weir ${index + 1}`;
    const weir = await startWeir(children, {
      program,
      name,
      providerPort: provider.port,
      behaviours,
    });
    subjects.push(weir.ownKeys, weir.payThrough);
    weirs.push(weir);
  }
  const withWrk = withPeers && wrkIsInstalled();
  if (!withWrk) progress(wrkHint);
  return {
    children,
    provider,
    generator: new Generator(children),
    subjects,
    weirs,
    book: new FigureBook(),
    scale: rounds === undefined ? scale : { ...scale, rounds },
    withWrk,
    progress,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string" },
      only: { type: "string", multiple: true, default: [] },
      quick: { type: "boolean", default: false },
      program: { type: "string", multiple: true },
    },
  });
  const figures = await runMacro({
    quick: values.quick,
    only: values.only,
    progress: (what) => console.error(what),
    ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
    ...(values.program === undefined
      ? {}
      : { programs: values.program.map((each) => resolve(each)) }),
  });
  printFigures(figures);
}
