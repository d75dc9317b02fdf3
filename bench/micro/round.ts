/**
 * One round of the micro part: every piece once, in this process. Prints its figures as JSON. A
 * profile of some pieces: `node --cpu-prof bench/micro/round.ts --only micro/entities`.
 */
import { parseArgs } from "node:util";
import { isAsked } from "../report/run-options.ts";
import { suites } from "./suites.ts";
import type { OpenSuite, Suite, Times } from "./suite.ts";
import type { RoundFigure } from "./main.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    "warmup-ms": { type: "string", default: "60" },
    "measured-ms": { type: "string", default: "100" },
  },
});
const times: Times = {
  warmupMs: Number(values["warmup-ms"]),
  measuredMs: Number(values["measured-ms"]),
};

async function measured({ id, group }: Suite, { pieces }: OpenSuite): Promise<RoundFigure[]> {
  const figures: RoundFigure[] = [];
  for (const { id: pieceId, measure, subject = "weir", ...told } of pieces) {
    const figureId = `micro/${id}/${pieceId}`;
    if (!isAsked(values.only, figureId)) continue;
    figures.push({ id: figureId, group, subject, ...told, value: await measure(times) });
  }
  return figures;
}

const figures: RoundFigure[] = [];
for (const suite of suites.filter(({ id }) => isAsked(values.only, `micro/${id}/`))) {
  const open = await suite.open();
  figures.push(...(await measured(suite, open)));
  await open.close?.();
}
console.log(JSON.stringify(figures));
