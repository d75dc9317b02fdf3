import { microUsd } from "../../../src/contract/money.ts";
import { consumeRates } from "../../../src/store/windows/granted-limits.ts";
import type { ClusterWorld } from "./cluster-world.ts";
import type { GatewayProcess } from "./gateway-process.ts";

/** Connections that were bad before may still be found out. */
const triesMax = 20;
const betweenTriesMs = 1_000;

/** After quiet time every gateway can have all that there is, one after the other. */
export async function probe(
  world: ClusterWorld,
  until: (isSo: () => boolean) => Promise<void>,
): Promise<void> {
  for (const { process, machine } of world.nodes) {
    if (process === null) continue;
    let isDone = false;
    machine.plan(0, () => {
      void everything(world, process).then(() => (isDone = true));
    });
    await until(() => isDone);
  }
}

async function everything(world: ClusterWorld, at: GatewayProcess): Promise<void> {
  for (const orgId of world.server.model.accounts.keys()) {
    await tried(world, `${at.machine.name} holds all of ${orgId}`, () =>
      wholeBalance(world, at, orgId),
    );
  }
  const free = world.clients.rateOf(`probe of ${at.machine.name}`);
  await tried(world, `${at.machine.name} counts a request`, async () => {
    return (await consumeRates(at.rates, [free], at.limits, "rates")).admitted;
  });
}

async function wholeBalance(
  world: ClusterWorld,
  at: GatewayProcess,
  orgId: string,
): Promise<boolean> {
  const { balance = 0n } = world.server.model.accounts.get(orgId) ?? {};
  const estimate = microUsd((balance / 10_000n) * 10_000n);
  const by = { apiKeyId: null, team: null };
  const requestId = world.newId(orgId);
  const held = await at.ledger.hold({ requestId, orgId, by, estimate, isLive: () => true });
  if (held.ok) at.ledger.release(held.value, []);
  return held.ok;
}

async function tried(
  world: ClusterWorld,
  what: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, betweenTriesMs));
  }
  world.oracle.fail(`it can't be that ${what}`);
}
