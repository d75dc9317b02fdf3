import type { Segment } from "../../src/contract/scan.ts";
import type { InjectionModel } from "../../src/detectors/injection/model-file.ts";
import { calibrated } from "../../src/detectors/injection/calibrated.ts";
import { requestScore } from "../../src/detectors/injection/request-score.ts";
import { operatingPoints } from "../../src/detectors/injection/verdict.ts";
import type { HeldOut } from "./assemble.ts";

/** The worst texts of an honest request and how many it has, by segment. */
class Request {
  readonly kind: string;
  readonly #worst = { user: 0, tool: 0 };
  readonly #texts = { user: 0, tool: 0 };

  constructor(kind: string) {
    this.kind = kind;
  }

  add(segment: Segment, score: number): void {
    this.#worst[segment] = Math.max(this.#worst[segment], score);
    this.#texts[segment]++;
  }

  get score(): number {
    const of = (segment: Segment): number =>
      requestScore(this.#worst[segment], this.#texts[segment]);
    return Math.round(Math.max(of("user"), of("tool")) * 100) / 100;
  }
}

/** Prints which share of honest requests each operating point blocks, a session being one request. */
export function reportHeldOut({ header }: InjectionModel, heldOut: readonly HeldOut[]): void {
  const requests = new Map<string, Request>();
  for (const [index, { row, raw }] of heldOut.entries()) {
    const key = row.group ?? String(index);
    const request = requests.get(key) ?? new Request(kindOf(row));
    request.add(row.segment, calibrated(raw, header[row.segment].calibration));
    requests.set(key, request);
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
