import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Figure } from "../report/figure.ts";
import type { RunOptions } from "../report/run-options.ts";

/** A figure with its value in one round. */
export interface RoundFigure extends Omit<Figure, "rounds"> {
  readonly value: number;
}

const plans = {
  quick: { rounds: 2, warmupMs: 10, measuredMs: 10 },
  full: { rounds: 5, warmupMs: 40, measuredMs: 80 },
};

/**
 * Measures the parts of the gateway, each alone. Each round is a process of its own that measures
 * every piece once. The compiler's decisions and the layout of memory differ more between processes
 * than a piece differs within one process.
 */
export async function runMicro({ quick, only, progress }: RunOptions): Promise<readonly Figure[]> {
  const { rounds, warmupMs, measuredMs } = quick ? plans.quick : plans.full;
  const args = ["--warmup-ms", String(warmupMs), "--measured-ms", String(measuredMs)];
  const figures = new Map<string, Figure>();
  for (let round = 1; round <= rounds; round++) {
    progress(`micro, round ${round} of ${rounds}`);
    for (const { value, ...told } of await roundOf([
      ...args,
      ...only.flatMap((id) => ["--only", id]),
    ])) {
      const before = figures.get(told.id)?.rounds ?? [];
      figures.set(told.id, { ...told, rounds: [...before, value] });
    }
  }
  return [...figures.values()];
}

function roundOf(args: readonly string[]): Promise<readonly RoundFigure[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "round.ts"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(printed) as readonly RoundFigure[]);
      else reject(new Error(`a round of the micro part ended with ${code}`));
    });
  });
}
