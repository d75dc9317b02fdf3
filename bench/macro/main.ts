// The macro part of the bench alone: `node bench/macro/main.ts [--rounds N] [--only PREFIX] [--quick]`.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Figure } from "../report/figure.ts";
import { judged } from "../report/judged-goal.ts";
import { thisMachine } from "../report/machine.ts";
import type { Report } from "../report/report.ts";
import { isAsked, noFigure, type RunOptions } from "../report/run-options.ts";
import { terminalText } from "../report/terminal.ts";
import { fullScale, quickScale, type Bench, type Scale } from "./bench.ts";
import { Children } from "./children.ts";
import { FigureBook } from "./figure-book.ts";
import { Generator } from "./generator/generator.ts";
import { macroGoals } from "./goals.ts";
import { conversation } from "./loads/conversation.ts";
import { burst, burstBehaviour, paced, pacedBehaviour } from "./loads/events.ts";
import { idleConnections } from "./loads/idle-connections.ts";
import { latency, shortStream } from "./loads/latency.ts";
import { ownAnswers } from "./loads/own-answers.ts";
import { openStreams, slowStream } from "./loads/open-streams.ts";
import { longStream, slowReaders } from "./loads/slow-readers.ts";
import { jsonBehaviour, smallJson } from "./loads/small-json.ts";
import { steady } from "./loads/steady.ts";
import { sink, uploads } from "./loads/uploads.ts";
import type { Behaviour } from "./provider/behaviour.ts";
import { Provider } from "./provider/provider.ts";
import { startBare } from "./subjects/bare.ts";
import { direct } from "./subjects/direct.ts";
import { nginxHint, nginxIsInstalled, startNginx } from "./subjects/nginx.ts";
import { portkeyHint, portkeyIsInstalled, startPortkey } from "./subjects/portkey.ts";
import type { Subject } from "./subjects/subject.ts";
import { startWeir } from "./subjects/weir.ts";
import { warmUp } from "./warm-up.ts";
import { wrkHint, wrkIsInstalled } from "./wrk.ts";

export interface MacroOptions extends RunOptions {
  /** Replaces the number of rounds in the scale. */
  readonly rounds?: number;
  /** Replaces the full or the quick scale. */
  readonly scale?: Scale;
  /** Built programs of Weir, with the one under test first. Default: the program of this clone. */
  readonly programs?: readonly string[];
  /** False: only the provider and Weir are measured. */
  readonly withPeers?: boolean;
}

/** The beginnings of figures' ids, with the functions that measure them. */
const loads = [
  ["macro/json", smallJson],
  ["macro/own-answers", ownAnswers],
  ["macro/latency", latency],
  ["macro/paced", paced],
  ["macro/burst", burst],
  ["macro/steady", steady],
  ["macro/conversation", conversation],
  ["macro/idle", idleConnections],
  ["macro/open-streams", openStreams],
  ["macro/slow-reader", slowReaders],
  ["macro/upload", uploads],
] as const;

const defaultProgram = join(import.meta.dirname, "../../dist/main.js");

/**
 * Starts everything, measures, and ends everything that it has started. Rejects if Weir can't start.
 */
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
  const { scale = quick ? quickScale : fullScale } = options;
  const provider = await Provider.start(children);
  const subjects: Subject[] = [direct(provider.port)];
  if (withPeers) {
    if (nginxIsInstalled()) subjects.push(await startNginx(children, provider.port));
    else progress(nginxHint);
    subjects.push(await startBare(children, provider.port, "undici"));
    subjects.push(await startBare(children, provider.port, "net"));
    if (portkeyIsInstalled()) subjects.push(await startPortkey(children, provider.port));
    else progress(portkeyHint);
  }
  const shared = { providerPort: provider.port, behaviours: behavioursOf(scale) };
  const [program = defaultProgram, ...others] = options.programs ?? [];
  const startUnderTest = () => startWeir(children, { ...shared, program, name: "weir" });
  const weirs = [await startUnderTest()];
  for (const [index, other] of others.entries()) {
    const name = `weir ${index + 2}`;
    weirs.push(await startWeir(children, { ...shared, program: other, name }));
  }
  subjects.push(...weirs.flatMap(({ ownKeys, payThrough }) => [ownKeys, payThrough]));
  const withWrk = withPeers && wrkIsInstalled();
  if (withPeers && !withWrk) progress(wrkHint);
  return {
    children,
    provider,
    generator: new Generator(children),
    subjects,
    weirs,
    book: new FigureBook(progress),
    scale: rounds === undefined ? scale : { ...scale, rounds },
    withWrk,
    startWeir: startUnderTest,
  };
}

/** Each behaviour is an account of Weir, so that a pay-through request can use it. */
function behavioursOf(scale: Scale): readonly Behaviour[] {
  return [
    jsonBehaviour,
    sink,
    shortStream,
    slowStream(scale.openStreamsEveryMs),
    pacedBehaviour(scale.pacedEvents),
    burstBehaviour(scale.burstEvents),
    longStream(scale.slowReaderEvents),
  ];
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
  const [startedAt, machine] = [new Date(), thisMachine()];
  const figures = await runMacro({
    quick: values.quick,
    only: values.only,
    progress: (what) => console.error(what),
    ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
    ...(values.program === undefined
      ? {}
      : { programs: values.program.map((each) => resolve(each)) }),
  });
  if (figures.length === 0) {
    console.error(noFigure);
    process.exit(1);
  }
  const report: Report = {
    version: 1,
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1_000,
    quick: values.quick,
    machine,
    goals: judged(macroGoals, figures),
    figures,
  };
  console.log(terminalText(report, null));
}
