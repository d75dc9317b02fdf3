import { expect } from "vitest";
import { sharedIdleMs } from "../../src/contract/limits.ts";
import type { Direction } from "../support/faulty-link.ts";
import { bounded, passed, until } from "./bounded.ts";
import { askOnce, type DirectAnswer } from "./clients.ts";
import type { Cluster, Node } from "./cluster.ts";
import { readinessOf } from "./post-mortem.ts";

/** What a fault breaks, and a caller with plenty of money whom nothing else asks for. */
export interface Scene {
  readonly cluster: Cluster;
  readonly steady: { readonly orgId: string; readonly secret: string };
  /** Whether seconds count: gateways wait for each other as long as in a release. */
  readonly hasTrueTimes: boolean;
}

/** What a gateway keeps ready beyond one request is 15 cents, and a request holds less than one. */
const [allowedRequests, centMicro] = [10, 10_000n];
/** Within this time after a grant nothing of it goes back: gateways look twice in `sharedIdleMs`. */
const grantKeptMs = 0.45 * sharedIdleMs;
const grantTriesMax = 5;
const recoveryMsMax = 5_000;
const leaseShare = 0.7;

/**
 * PostgreSQL is killed and stays away for half a lease, and every gateway serves what it has allowances for. Returns what
 * was seen.
 */
export async function awayForAWhile(scene: Scene): Promise<string> {
  const { cluster, steady } = scene;
  const outageMs = cluster.leaseMs / 2;
  await cluster.noteDeadlocks();
  const grantedMs = await freshlyGranted(scene);
  const awayMs = performance.now();
  await cluster.server.kill();
  const isGranted = performance.now() - grantedMs < grantKeptMs;
  const [answers, readiness] = await Promise.all([
    askedAll(scene, allowedRequests),
    readinessUntil(cluster, awayMs + outageMs),
  ]);
  await passed(outageMs - (performance.now() - awayMs));
  for (const { link } of cluster.nodes) link.refuse();
  await cluster.server.start();
  // Gateways can't reach it yet, so this is what each of them had when it was killed.
  const escrows = await cluster.query<{ amount: string }>(
    `SELECT amount FROM weir.escrow WHERE org_id = '${steady.orgId}' AND amount > 0`,
  );
  for (const { link } of cluster.nodes) link.heal();

  const needed = BigInt(allowedRequests + 1) * centMicro;
  const hadAllowances =
    escrows.length === cluster.nodes.length && escrows.every((row) => BigInt(row.amount) >= needed);
  if (!isGranted || !hadAllowances) {
    return `nobody can tell who had an allowance: ${isGranted} ${JSON.stringify(escrows)}`;
  }
  // A gateway may have been silent for a beat before.
  const leaseEndsMs = awayMs + leaseShare * cluster.leaseMs;
  const isEarly = ({ gotMs }: { readonly gotMs: number }): boolean => gotMs < leaseEndsMs;
  const refused = answers.filter((answer) => isRefused(answer.answer) && isEarly(answer));
  expect(refused, "refused requests with an allowance").toEqual([]);
  const unready = readiness.filter((told) => told.answer !== "200" && isEarly(told));
  expect(unready, "gateways that are not ready while their lease lasts").toEqual([]);
  const served = answers.filter(({ answer }) => !isRefused(answer)).length;
  return `${served} of ${answers.length} requests with an allowance were served`;
}

/** PostgreSQL is killed and stays away for three leases: gateways say so, and are back by themselves soon after it. */
export async function awayForLong(scene: Scene): Promise<string> {
  const { cluster, steady, hasTrueTimes } = scene;
  const state = (): Promise<string> => cluster.state();
  await cluster.killServer();
  const awayMs = performance.now();
  for (const node of cluster.nodes) await expectUnready(scene, node);
  await passed(3 * cluster.leaseMs - (performance.now() - awayMs));
  await cluster.server.start();
  const backMs = performance.now();
  const served = cluster.nodes.map((node) => servedAgain(cluster, node, steady.secret));
  await bounded("gateways serve again", 60_000, Promise.all(served), state);
  const tookMs = Math.round(performance.now() - backMs);
  if (hasTrueTimes) expect(tookMs).toBeLessThanOrEqual(recoveryMsMax);
  return `gateways served again ${tookMs} ms after PostgreSQL`;
}

/**
 * Packets between a gateway and PostgreSQL are lost until the others have given the gateway up: it says so when its lease
 * is over, and they go on. Returns what was seen.
 */
export async function cutOffUntilFenced(
  scene: Scene,
  node: Node,
  lost: readonly Direction[],
): Promise<string> {
  const { cluster, hasTrueTimes } = scene;
  const cutMs = performance.now();
  node.link.stall(lost);
  await expectUnready(scene, node);
  const toldMs = Math.round(performance.now() - cutMs);
  // On a machine under load a shortened lease may be over before that.
  if (hasTrueTimes) expect(toldMs).toBeGreaterThanOrEqual(leaseShare * cluster.leaseMs);
  await cluster.ready(60_000, (other) => other !== node);
  await passed(cluster.fencedMs - (performance.now() - cutMs));
  await cluster.noteFenced();
  node.link.heal();
  return `gateway ${node.number} said after ${toldMs} ms that it is cut off`;
}

/** Waits until a gateway has no lease any more, and says so. */
async function expectUnready({ cluster, steady }: Scene, { number, process }: Node): Promise<void> {
  const isUnready = async (): Promise<true | string> => {
    const told = await readinessOf(process);
    return told === "503" ? true : told;
  };
  const state = (): Promise<string> => cluster.state();
  await until(`gateway ${number} is not ready`, cluster.leaseMs + 30_000, isUnready, state);
  const { status, text } = await askOnce(process?.url ?? "", steady.secret, cluster.answerMsMax);
  expect(`${status} ${text}`, `gateway ${number}`).toMatch(/^503 .*auth_unavailable/s);
}

async function servedAgain(cluster: Cluster, { process }: Node, secret: string): Promise<void> {
  for (;;) {
    const ready = await readinessOf(process);
    const { status } = await askOnce(process?.url ?? "", secret, cluster.answerMsMax);
    if (ready === "200" && status === 200) return;
    await passed(50);
  }
}

/** When each gateway has got an allowance at the earliest; -Infinity: not each has. A slow machine has a few tries. */
async function freshlyGranted(scene: Scene): Promise<number> {
  for (let tries = 0; tries < grantTriesMax; tries += 1) {
    const sentMs = performance.now();
    const answers = await askedAll(scene, 1);
    const isFresh = performance.now() - sentMs < grantKeptMs;
    if (isFresh && !answers.some(({ answer }) => isRefused(answer))) return sentMs;
    // By then it has gone back.
    await passed(3 * sharedIdleMs);
  }
  return -Infinity;
}

/** What all gateways tell until then, each thread of them a few times. */
async function readinessUntil(cluster: Cluster, endMs: number): Promise<readonly Timed<string>[]> {
  const told: Timed<string>[] = [];
  do {
    const asked = cluster.nodes.map(({ process }) => timed(readinessOf(process)));
    told.push(...(await Promise.all(asked)));
    await passed(50);
  } while (performance.now() < endMs);
  return told;
}

interface Timed<T> {
  readonly answer: T;
  readonly gotMs: number;
}

async function timed<T>(asked: Promise<T>): Promise<Timed<T>> {
  const answer = await asked;
  return { answer, gotMs: performance.now() };
}

/** Asks each gateway so often at once. */
async function askedAll(
  { cluster, steady }: Scene,
  times: number,
): Promise<readonly Timed<DirectAnswer>[]> {
  const asked = cluster.nodes.flatMap(({ process }) =>
    Array.from({ length: times }, () =>
      timed(askOnce(process?.url ?? "", steady.secret, cluster.answerMsMax)),
    ),
  );
  return Promise.all(asked);
}

function isRefused({ status }: DirectAnswer): boolean {
  return status !== 200;
}
