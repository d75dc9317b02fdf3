import type { InjectionModel } from "../../src/detectors/injection/model-file.ts";
import { calibrated } from "../../src/detectors/injection/model-detector.ts";
import { operatingPoints } from "../../src/detectors/injection/verdict.ts";
import type { HeldOut } from "./assemble.ts";

/** Prints which share of honest requests each operating point blocks, a session being one request. */
export function reportHeldOut({ header }: InjectionModel, heldOut: readonly HeldOut[]): void {
  const requests = new Map<string, { kind: string; score: number }>();
  for (const [index, { row, raw }] of heldOut.entries()) {
    const head = header[row.segment];
    const score = Math.round(calibrated(raw, head.calibration) * 100) / 100;
    const key = row.group ?? String(index);
    const before = requests.get(key);
    if (before !== undefined && before.score >= score) continue;
    requests.set(key, { kind: kindOf(row), score });
  }
  console.log("Honest requests that training did not see, blocked at strict, balanced, permissive");
  const kinds = [...new Set([...requests.values()].map(({ kind }) => kind))].sort();
  for (const kind of kinds) {
    const scores = [...requests.values()].filter((request) => request.kind === kind);
    const shares = [operatingPoints.strict, operatingPoints.balanced, operatingPoints.permissive]
      .map((point) => scores.filter(({ score }) => score >= point).length / scores.length)
      .map((share) => `${(share * 100).toFixed(2)} %`.padStart(9));
    console.log(`  ${kind.padEnd(24)} ${String(scores.length).padStart(6)} ${shares.join(" ")}`);
  }
}

function kindOf({ group, source, segment }: HeldOut["row"]): string {
  if (group !== undefined) return "sessions";
  return `${source.startsWith("own_") ? "own, hard" : "data"}, ${segment}`;
}
