import type { Logger } from "pino";
import type { Metrics } from "../pipeline/record/metrics.ts";
import type { FlushWaits } from "../pipeline/money/payment.ts";
import { Admission } from "../proxy/overload/admission.ts";
import { RefusedLoad } from "../proxy/overload/refused-load.ts";
import type { ListenerOptions } from "../proxy/listener/server.ts";
import type { ScanPool } from "../workers/pool/pool.ts";

export interface OverloadOptions {
  readonly pool: Pick<ScanPool, "backlog" | "open">;
  readonly flushWaits: Pick<FlushWaits, "open">;
  readonly metrics: Pick<Metrics, "overloadRefused">;
  readonly logger: Logger;
}

/** How one thread handles more requests than it can serve in time. */
export function openOverload(options: OverloadOptions): NonNullable<ListenerOptions["overload"]> {
  const { pool, flushWaits, metrics, logger } = options;
  return {
    admission: new Admission({
      scansWaiting: () => pool.backlog,
      inHand: () => pool.open + flushWaits.open,
    }),
    refused: new RefusedLoad({
      // At most one line per second, because a line per request would itself be a load.
      refusing: ({ admitted, by }) => {
        for (const [reason, count] of by) metrics.overloadRefused(reason, count);
        const refused = Object.fromEntries(by);
        logger.warn({ admitted, refused }, "more requests came than could be served in time");
      },
    }),
  };
}
