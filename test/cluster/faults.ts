import type { Random } from "../sim/random.ts";
import { bothDirections, type Direction } from "../support/faulty-link.ts";
import { passed } from "./bounded.ts";
import type { Cluster, Node } from "./cluster.ts";
import { awayForAWhile, awayForLong, cutOffUntilFenced, type Scene } from "./outages.ts";

export interface Fault {
  readonly name: string;
  /** Whether answers that nobody was promised anything about may be missing from the books. */
  readonly losesMemory: boolean;
  /** Breaks something, for as long as it takes to be noticed. `Cluster.heal` mends what is left. */
  readonly happen: (scene: Scene, random: Random) => Promise<void>;
}

function anyNode({ nodes }: Cluster, random: Random): Node {
  const node = nodes[random.integer(0, nodes.length - 1)];
  if (node === undefined) throw new Error("there is no gateway");
  return node;
}

export const faults: readonly Fault[] = [
  {
    name: "a gateway is killed",
    losesMemory: true,
    happen: async ({ cluster }, random) => {
      const node = anyNode(cluster, random);
      await cluster.kill(node);
      await passed(random.integer(0, 3_000));
      await cluster.boot(node);
    },
  },
  {
    name: "a gateway is killed, and stays dead until it is fenced",
    losesMemory: true,
    happen: async ({ cluster }, random) => {
      await cluster.kill(anyNode(cluster, random));
      await passed(cluster.fencedMs);
    },
  },
  {
    name: "PostgreSQL is killed",
    losesMemory: false,
    happen: async ({ cluster }, random) => {
      await cluster.killServer();
      await passed(random.integer(0, 3_000));
      await cluster.server.start();
    },
  },
  {
    name: "a gateway stands still until it is fenced",
    losesMemory: false,
    happen: async ({ cluster }, random) => {
      const { process } = anyNode(cluster, random);
      process?.child.kill("SIGSTOP");
      await passed(cluster.fencedMs);
      await cluster.noteFenced();
      process?.child.kill("SIGCONT");
    },
  },
  {
    name: "a gateway is cut off from PostgreSQL until it is fenced",
    losesMemory: false,
    happen: async (scene, random) => {
      const node = anyNode(scene.cluster, random);
      console.log(await cutOffUntilFenced(scene, node, bothDirections));
    },
  },
  {
    name: "a gateway is cut off from PostgreSQL for a while",
    losesMemory: false,
    happen: async ({ cluster }, random) => {
      const { link } = anyNode(cluster, random);
      link.stall();
      await passed(random.integer(200, Math.floor(cluster.fencedMs / 4)));
      link.heal();
    },
  },
  {
    name: "what a gateway is answered by PostgreSQL is lost until it is fenced",
    losesMemory: false,
    happen: async (scene, random) => {
      const node = anyNode(scene.cluster, random);
      console.log(await cutOffUntilFenced(scene, node, ["back"]));
    },
  },
  {
    name: "one direction between gateways and PostgreSQL is lost, and then their connections, again and again",
    losesMemory: false,
    happen: async ({ cluster }, random) => {
      for (let times = 0; times < 5; times += 1) {
        const { link } = anyNode(cluster, random);
        link.stall([random.pick<Direction>("there", "back")]);
        await passed(random.integer(200, Math.floor(cluster.fencedMs / 4)));
        // What is on its way then never arrives, such as the answer to a grant.
        link.cut();
        link.heal();
      }
    },
  },
  {
    name: "connections to PostgreSQL break again and again",
    losesMemory: false,
    happen: async ({ cluster }, random) => {
      for (let times = 0; times < 10; times += 1) {
        anyNode(cluster, random).link.cut();
        await passed(random.integer(20, 400));
      }
    },
  },
  {
    name: "PostgreSQL stands still for a while",
    losesMemory: false,
    happen: async ({ cluster }, random) => {
      cluster.server.pause();
      await passed(random.integer(500, 3_000));
      cluster.server.resume();
    },
  },
  {
    name: "PostgreSQL is killed, and gateways serve what they have allowances for",
    losesMemory: false,
    happen: async (scene) => {
      console.log(await awayForAWhile(scene));
    },
  },
  {
    name: "PostgreSQL is killed, and stays away until gateways say so",
    losesMemory: false,
    happen: async (scene) => {
      console.log(await awayForLong(scene));
    },
  },
];
