import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../sim/random.ts";
import { describeWithServer } from "../support/with-postgres-server.ts";
import { bounded, passed } from "./bounded.ts";
import {
  expectBalances,
  expectBooks,
  expectSquare,
  expectToppedUp,
  fencedCount,
  OneLog,
  settled,
} from "./checks.ts";
import { load, Witness, type Caller } from "./clients.ts";
import { Cluster, gatewaysCount } from "./cluster.ts";
import { Events } from "./events.ts";
import { faults } from "./faults.ts";
import { Jobs } from "./jobs.ts";
import { Limits } from "./limits.ts";
import { networkOf } from "./network.ts";
import { Operator } from "./operator.ts";
import { clusterProgram } from "./program.ts";
import { CountingProvider } from "./provider.ts";
import { Revocations } from "./revocations.ts";

/*
 * Three built gateways, real SDK clients, and a PostgreSQL that is killed: after every fault the books, the log and the
 * limits are what the clients and the provider have seen. WEIR_CLUSTER_ROUNDS: how many faults; WEIR_CLUSTER_SEED: of
 * their order; WEIR_CLUSTER_FAULT: part of the names of those that happen; WEIR_CLUSTER_TIMES=true: gateways wait for
 * each other as long as in a release; WEIR_CLUSTER_NETWORK=proxy: no network namespaces.
 */

const rounds = Number(process.env["WEIR_CLUSTER_ROUNDS"] ?? 100);
const seed = Number(process.env["WEIR_CLUSTER_SEED"] ?? Math.floor(Math.random() * 1e6));
const hasTrueTimes = process.env["WEIR_CLUSTER_TIMES"] === "true";
const namespaces = process.env["WEIR_CLUSTER_NETWORK"] !== "proxy";
const chosen = faults.filter(({ name }) => name.includes(process.env["WEIR_CLUSTER_FAULT"] ?? ""));
const [beforeMs, afterMs] = [1_500, 1_500];
const rateLimit = 40;
/** How often the whole log is verified at every gateway, besides the last round. */
const wholeEvery = 10;

describeWithServer("gateways that share a store", () => {
  const random = new Random(seed);
  const witness = new Witness();
  let cluster: Cluster;
  let provider: CountingProvider;
  let operator: Operator;
  let log: OneLog;
  let events: Events;
  let rich: string;
  let poor: string;
  let rated: string;
  let capped: string;
  let budgeted: string;
  let leaving: string;
  let batched: Caller;
  let callers: readonly Caller[];
  let steady: Caller;
  let limits: Limits;
  let jobs: Jobs;

  beforeAll(async () => {
    const network = await networkOf(gatewaysCount, namespaces);
    console.log(network.told);
    provider = await CountingProvider.start(network.providerHost);
    const account = {
      ...{ name: "p", type: "openai", baseUrl: provider.origin },
      ...{ wires: ["chat", "messages"], models: ["m", "left"] },
    };
    const config = {
      providers: [account],
      network: { allowedInternalHosts: [network.providerHost] },
      scan: { requestsPerMinute: 1_000_000 },
    };
    cluster = await Cluster.start(clusterProgram(hasTrueTimes), config, network);
    operator = new Operator(cluster);
    log = new OneLog(cluster);
    events = new Events(cluster);
    const caller = async (name: string, kinds: Caller["kinds"], more = {}): Promise<Caller> => {
      const orgId = await operator.organization(name);
      return { orgId, secret: (await operator.key(orgId, more)).secret, kinds };
    };
    callers = [
      await caller("rich", ["chat", "chat stream", "messages", "messages stream", "scan"]),
      await caller("poor", ["chat", "messages stream", "scan"]),
      await caller("rated", ["chat", "chat"], { rateLimit }),
      await caller("capped", ["chat", "messages", "chat"]),
      await caller("budgeted", ["chat", "messages stream"]),
      await caller("leaving", ["left", "left", "left"]),
    ];
    steady = await caller("steady", []);
    batched = await caller("batched", []);
    jobs = new Jobs(cluster, batched);
    [rich = "", poor = "", rated = "", capped = "", budgeted = "", leaving = ""] = callers.map(
      ({ orgId }) => orgId,
    );
    for (const id of [rich, rated, capped, budgeted]) await operator.topUp(id, "10", "first");
    for (const { orgId } of [steady, batched]) await operator.topUp(orgId, "100", "first");
    limits = new Limits(operator, { rated, rateLimit, capped, budgeted });
    await limits.raise();
  });

  afterAll(async () => {
    await cluster.close();
    await provider.close();
  });

  /** What operators do while something breaks. */
  async function change(round: number): Promise<void> {
    const key = `round ${round}`;
    await Promise.all([
      limits.raise(),
      operator.topUp(rich, "4", key),
      operator.topUp(rated, "1", key),
      operator.topUp(capped, "1", key),
      operator.topUp(budgeted, "1", key),
      operator.topUp(poor, "0.08", key),
      operator.topUp(leaving, "0.02", key),
    ]);
  }

  /** Clients ask and operators change things while something breaks and is mended. */
  async function runRound(round: number, happen: () => Promise<void>): Promise<void> {
    const state = (): Promise<string> => cluster.state();
    const revocations = new Revocations(cluster, operator);
    const keys = [await revocations.key(rich), await revocations.key(rich)] as const;
    let isOver = false;
    const clients = load(cluster, callers, witness, () => isOver);
    const working: Promise<unknown>[] = [];
    try {
      await passed(random.integer(500, beforeMs));
      working.push(change(round), revocations.revoke(keys[0]));
      await passed(random.integer(0, 300));
      await jobs.submit();
      const broken = happen();
      await passed(random.integer(50, 500));
      working.push(revocations.revoke(keys[1]));
      await bounded("the fault", 6 * cluster.fencedMs + 60_000, broken, state);
      await cluster.heal();
      await expectSquare(cluster);
      await bounded("operators", 600_000, Promise.all(working), state);
      await passed(afterMs);
    } catch (error) {
      operator.giveUp();
      throw error;
    } finally {
      isOver = true;
      await cluster.heal();
      await Promise.allSettled(working);
      await bounded("clients", 2 * cluster.answerMsMax, clients, state);
      await revocations.end();
    }
    expect(revocations.served, "revoked keys that were served").toEqual([]);
    expect(revocations.refused).toBeGreaterThan(0);
  }

  test.each(Array.from({ length: rounds }, (_, i) => i + 1))(
    `seed ${seed}, round %i`,
    async (round) => {
      const fault = chosen[(round + seed) % chosen.length];
      if (fault === undefined) throw new Error("there is no fault");
      console.log(`round ${round}: ${fault.name}`);
      const before = await expectBooks(cluster, witness, provider, leaving);
      const [fencedBefore, killsBefore, owedBefore] = [
        await fencedCount(cluster),
        cluster.kills,
        events.owed,
      ];
      await runRound(round, () => fault.happen({ cluster, steady, hasTrueTimes }, random));

      console.log(`round ${round}: ${JSON.stringify(Object.fromEntries(witness.outcomes))}`);
      const unexpected = [...witness.outcomes.keys()].filter((outcome) => !expected.has(outcome));
      expect(unexpected).toEqual([]);
      expect(cluster.deaths).toEqual([]);
      await jobs.expectEnded();
      await settled(cluster);
      await expectSquare(cluster);
      const { unpaid, debited } = await expectBooks(cluster, witness, provider, leaving);
      const unpaidBefore = new Set(before.unpaid);
      const lost = unpaid.filter((name) => !unpaidBefore.has(name));
      // A killed gateway forgets what nobody was promised: at most what its clients were just asking, twice.
      const lostMax = fault.losesMemory ? 2 * callers.flatMap(({ kinds }) => kinds).length : 0;
      expect(lost.length, lost.join(", ")).toBeLessThanOrEqual(lostMax);
      await expectToppedUp(cluster, operator.toppedUp);
      const fenced = (await fencedCount(cluster)) - fencedBefore;
      await events.expectOnce(debited, lostMax, fenced > 0);
      // What a gateway has allowances for is covered, unless others took it for dead while it lived.
      if (fenced <= cluster.kills - killsBefore)
        expect(events.owed - owedBefore, "debits that nothing covered").toBe(0);
      const orgIds = [rich, poor, rated, capped, budgeted, leaving, batched.orgId];
      await expectBalances(cluster, orgIds);
      await log.expectAgreed();
      if (round === rounds || round % wholeEvery === 0) await log.expectWhole();
      console.log(`round ${round}: ${await limits.expectKept(cluster, witness)}`);
    },
  );
});

/** What clients may be answered; `cut`: the connection broke; `left`: the client went away. */
const expected: ReadonlySet<string> = new Set(["200", "402", "429", "500", "503", "cut", "left"]);
