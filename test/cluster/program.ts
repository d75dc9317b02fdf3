import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtProgram } from "../support/built-program.ts";

/**
 * Limits of `contract/limits.ts` whose relations to each other make the store safe, and how much shorter they are than in
 * a release. What waits for an answer of PostgreSQL is shortened less, because a machine under load answers late. Jobs of
 * ended gateways are looked for more often too.
 */
const shortenedBy: Readonly<Record<string, number>> = {
  ...{ sharedBeatMs: 5, sharedLeaseMs: 5, sharedFenceMs: 5, sharedInForceMsMax: 5 },
  ...{ sharedQueryMsMax: 2.5, batchSweepMs: 10 },
};

export interface ClusterProgram {
  /** Its main file. */
  readonly program: string;
  /** How long a gateway must stand still until the others take it for dead, and a little more. */
  readonly fencedMs: number;
  /** How long a gateway acts on what it knows. */
  readonly leaseMs: number;
  readonly remove: () => void;
}

/**
 * A copy of the built program: as it is, or with gateways that take each other for dead sooner. A release has no setting
 * for this, because gateways with different times would not be safe.
 */
export function clusterProgram(hasTrueTimes: boolean): ClusterProgram {
  const distDir = dirname(builtProgram);
  // A build of what is being changed meanwhile does not disturb it.
  const copyDir = `${distDir}.cluster-${process.pid}`;
  cpSync(distDir, copyDir, { recursive: true });
  if (!hasTrueTimes) shorten(copyDir);
  const { sharedFenceMs = 0, sharedLeaseMs: leaseMs = 0 } = limitsIn(copyDir);
  return {
    program: join(copyDir, "main.js"),
    fencedMs: (hasTrueTimes ? 2 : 1.5) * sharedFenceMs,
    leaseMs,
    remove: () => rmSync(copyDir, { recursive: true, force: true }),
  };
}

function shorten(distDir: string): void {
  let text = readFileSync(limitsFile(distDir), "utf8");
  for (const [name, ms] of Object.entries(limitsIn(distDir))) {
    text = text.replace(
      definition(name),
      `export const ${name} = ${ms / (shortenedBy[name] ?? 1)};`,
    );
  }
  writeFileSync(limitsFile(distDir), text);
}

function limitsIn(distDir: string): Readonly<Record<string, number>> {
  const text = readFileSync(limitsFile(distDir), "utf8");
  const found = Object.keys(shortenedBy).map((name) => {
    const [, digits] = definition(name).exec(text) ?? [];
    if (digits === undefined) throw new Error(`there is no limit ${name}`);
    return [name, Number(digits.replaceAll("_", ""))] as const;
  });
  return Object.fromEntries(found);
}

function limitsFile(distDir: string): string {
  return join(distDir, "contract", "limits.js");
}

function definition(name: string): RegExp {
  return new RegExp(`export const ${name} = ([\\d_.]+);`);
}
