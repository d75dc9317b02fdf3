import type { Logger } from "pino";
import { sharedFirstRunMsMax, sharedFollowMs } from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import {
  demoBalance,
  provisionSharedFirstRun,
  type FirstRun,
  type FirstRunOptions,
} from "../store/embedded/first-run.ts";
import type { Store } from "../store/embedded/store.ts";
import type { SharedCalls } from "../store/shared/calls.ts";

/**
 * As `provisionFirstRun`. Of gateways that start at the same moment one does it. The others wait until it has shown the
 * keys, because it may fail before. Rejects if the shared store can't be reached.
 */
export async function provisionShared(
  store: Store,
  calls: Pick<SharedCalls, "ownId" | "liveGateways" | "topUp">,
  options: FirstRunOptions,
  logger: Logger,
): Promise<Outcome<FirstRun | null>> {
  const untilMs = performance.now() + sharedFirstRunMsMax;
  for (let isTold = false; ; isTold = true) {
    const own = await calls.ownId();
    const live = new Set((await calls.liveGateways()).map(({ id }) => id));
    const provisioned = await provisionSharedFirstRun(store, options, { own, live });
    if (!provisioned.ok) return provisioned;
    const firstRun = provisioned.value;
    if (firstRun === null) return accept(null);
    if (firstRun !== "elsewhere") {
      const { id } = firstRun.organization;
      await calls.topUp(id, "top_up", demoBalance, "opening-balance");
      return accept(firstRun);
    }
    // One that lives and can't show them leaves that to a later start.
    if (performance.now() >= untilMs) return accept(null);
    if (!isTold) logger.info("waiting for the gateway that is to print the first keys");
    await new Promise((resolve) => setTimeout(resolve, sharedFollowMs));
  }
}
