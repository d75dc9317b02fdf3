import { readFileSync } from "node:fs";
import { Type, type Static } from "typebox";
import { Check } from "typebox/value";
import type { Figure } from "./figure.ts";
import type { JudgedGoal } from "./judged-goal.ts";
import type { Machine } from "./machine.ts";

/** All results of one run of the bench. This is the content of its JSON file. */
export interface Report {
  readonly version: 1;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** True if the run was too short for comparisons. */
  readonly quick: boolean;
  readonly machine: Machine;
  readonly goals: readonly JudgedGoal[];
  readonly figures: readonly Figure[];
}

/** The parts of a report that a comparison needs. */
const Earlier = Type.Object({
  version: Type.Literal(1),
  startedAt: Type.String(),
  quick: Type.Boolean(),
  figures: Type.Array(
    Type.Object({
      id: Type.String(),
      group: Type.String(),
      label: Type.String(),
      subject: Type.String(),
      unit: Type.String(),
      better: Type.Union([Type.Literal("lower"), Type.Literal("higher")]),
      rounds: Type.Array(Type.Number(), { minItems: 1 }),
      note: Type.Optional(Type.String()),
    }),
  ),
});
export type EarlierReport = Readonly<Static<typeof Earlier>>;

/** Throws if the file is not a report. */
export function readReport(file: string): EarlierReport {
  const report: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Check(Earlier, report)) throw new Error(`${file} is no report of the bench`);
  return report;
}
