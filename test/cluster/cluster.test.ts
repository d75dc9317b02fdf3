import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../sim/random.ts";
import { describeWithServer } from "../support/with-postgres-server.ts";
import {
  expectBalances,
  expectBooks,
  expectRate,
  expectSquare,
  OneLog,
  settled,
} from "./checks.ts";
import { load, statusOf, Witness, type Caller } from "./clients.ts";
import { Cluster } from "./cluster.ts";
import { faults } from "./faults.ts";
import { Operator } from "./operator.ts";
import { clusterProgram } from "./program.ts";
import { CountingProvider } from "./provider.ts";

/*
 * Three built gateways, real SDK clients, and a PostgreSQL that is killed: after every fault the books, the log and the
 * limits are what the clients and the provider have seen. WEIR_CLUSTER_ROUNDS: how many faults; WEIR_CLUSTER_SEED: of
 * their order; WEIR_CLUSTER_TIMES=true: gateways wait for each other as long as in a release; WEIR_CLUSTER_LIMITS=true:
 * limits must hold over all gateways.
 */

const rounds = Number(process.env["WEIR_CLUSTER_ROUNDS"] ?? 100);
const seed = Number(process.env["WEIR_CLUSTER_SEED"] ?? Math.floor(Math.random() * 1e6));
const hasTrueTimes = process.env["WEIR_CLUSTER_TIMES"] === "true";
/** Rate limits and usage limits count at each gateway alone so far (docs/cluster.md). */
const limitsAreShared = process.env["WEIR_CLUSTER_LIMITS"] === "true";
const [beforeMs, afterMs] = [1_500, 1_500];
const rateLimit = 40;
/** How often the whole log is verified, besides the last round. */
const wholeEvery = 10;

describeWithServer("gateways that share a store", () => {
  const random = new Random(seed);
  const witness = new Witness();
  let cluster: Cluster;
  let provider: CountingProvider;
  let operator: Operator;
  let log: OneLog;
  let rich: string;
  let poor: string;
  let limited: string;
  let capped: string;
  let callers: readonly Caller[];
  /** A usage limit of requests, which each round raises. */
  let cap: { readonly id: string; threshold: number };

  beforeAll(async () => {
    provider = await CountingProvider.start();
    const wires = ["chat", "messages"];
    const account = { name: "p", type: "openai", baseUrl: provider.origin, wires, models: ["m"] };
    cluster = await Cluster.start(clusterProgram(hasTrueTimes), {
      providers: [account],
      network: { allowedInternalHosts: ["127.0.0.1"] },
      scan: { requestsPerMinute: 1_000_000 },
    });
    operator = new Operator(cluster);
    log = new OneLog(cluster);
    [rich, poor, limited, capped] = await Promise.all([
      operator.organization("rich"),
      operator.organization("poor"),
      operator.organization("limited"),
      operator.organization("capped"),
    ]);
    const secretOf = async (orgId: string, more = {}) => (await operator.key(orgId, more)).secret;
    callers = [
      {
        ...{ orgId: rich, secret: await secretOf(rich) },
        kinds: ["chat", "chat stream", "messages", "messages stream", "scan"],
      },
      { orgId: poor, secret: await secretOf(poor), kinds: ["chat", "messages stream", "scan"] },
      { orgId: limited, secret: await secretOf(limited, { rateLimit }), kinds: ["chat", "chat"] },
      { orgId: capped, secret: await secretOf(capped), kinds: ["chat", "messages"] },
    ];
    for (const orgId of [rich, limited, capped]) await operator.topUp(orgId, "5", "first");
    const limit = { orgId: capped, name: "cap", limitType: "requests", timeWindow: "1 month" };
    const { id } = await operator.data("POST", "usage-limits", { ...limit, threshold: "10" });
    cap = { id: String(id), threshold: 10 };
  });

  afterAll(async () => {
    await cluster.close();
    await provider.close();
  });

  /** What operators do while something breaks. Returns how often a revoked key was served. */
  async function change(round: number): Promise<number> {
    const toppedUp = [
      operator.topUp(rich, "1", `round ${round}`),
      operator.topUp(limited, "1", `round ${round}`),
      operator.topUp(capped, "1", `round ${round}`),
      operator.topUp(poor, "0.02", `round ${round}`),
    ];
    const raised = cap.threshold + 10;
    // Until it is answered, either may be in force.
    cap = { ...cap, threshold: raised };
    await operator.data("PATCH", `usage-limits/${cap.id}`, { threshold: String(raised) });
    const { id, secret } = await operator.key(rich);
    const used = cluster.nodes.map(({ process }) => statusOf(process?.url ?? "", secret));
    const { status } = await operator.ask("DELETE", `api-keys/${id}`);
    // 404: an answer before was lost.
    expect([200, 204, 404]).toContain(status);
    const served = cluster.nodes.map(({ process }) => statusOf(process?.url ?? "", secret));
    const statuses = await Promise.all(served);
    await Promise.all([...used, ...toppedUp]);
    return statuses.filter((answered) => answered === 200).length;
  }

  test.each(Array.from({ length: rounds }, (_, i) => i + 1))(
    `seed ${seed}, round %i`,
    async (round) => {
      const fault = faults[(round + seed) % faults.length] ?? random.pick(faults[0], ...faults);
      if (fault === undefined) throw new Error("there is no fault");
      const unpaidBefore = new Set(await expectBooks(cluster, witness, provider));
      let isOver = false;
      const clients = load(cluster, callers, witness, () => isOver);
      await passed(random.integer(500, beforeMs));
      const changed = change(round);
      await passed(random.integer(0, 300));
      console.log(`round ${round}: ${fault.name}`);
      let servedRevoked: number;
      try {
        await fault.happen(cluster, random);
        await cluster.heal();
        servedRevoked = await changed;
        await passed(afterMs);
      } finally {
        isOver = true;
        await clients;
      }

      console.log(`round ${round}: ${JSON.stringify(Object.fromEntries(witness.outcomes))}`);
      const unexpected = [...witness.outcomes.keys()].filter((outcome) => !expected.has(outcome));
      expect(unexpected).toEqual([]);
      expect(cluster.deaths).toEqual([]);
      expect(servedRevoked).toBe(0);
      await settled(cluster);
      await expectSquare(cluster);
      const unpaid = await expectBooks(cluster, witness, provider);
      const lost = unpaid.filter((name) => !unpaidBefore.has(name));
      // A killed gateway forgets what nobody was promised: at most what its clients were just asking, twice.
      const lostMax = fault.losesMemory ? 2 * callers.flatMap(({ kinds }) => kinds).length : 0;
      expect(lost.length, lost.join(", ")).toBeLessThanOrEqual(lostMax);
      await expectBalances(cluster, [rich, poor, limited, capped]);
      await log.expectAgreed();
      if (round === rounds || round % wholeEvery === 0) await log.expectWhole();
      if (!limitsAreShared) return;
      expectRate(witness, limited, rateLimit);
      const usedOfCap = witness.promised.filter(({ orgId }) => orgId === capped).length;
      expect(usedOfCap).toBeLessThanOrEqual(cap.threshold);
    },
  );
});

/** What clients may be answered, and `cut` for a connection that broke. */
const expected: ReadonlySet<string> = new Set(["200", "402", "429", "500", "503", "cut"]);

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
