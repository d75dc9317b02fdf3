import type { Logger } from "pino";
import type { Contents } from "../../store/content/contents.ts";
import type { Ledger } from "../../store/ledger/ledger.ts";
import { contentOf } from "./content-of.ts";
import type { Metrics } from "./metrics.ts";
import { sinceArrivalMs, type Records } from "./record.ts";
import { requestEvent } from "./request-event.ts";
import { requestLog } from "./request-log.ts";
import type { UnownedResponses } from "./unowned-responses.ts";

export interface RequestRecordsOptions {
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "observe">;
  readonly ledger: Pick<Ledger, "recordRequest">;
  readonly contents: Pick<Contents, "keep">;
  readonly unowned: Pick<UnownedResponses, "note">;
}

/** Passes every finished request on: a log line, metrics, an audit event, its content; without an organization a note. */
export function requestRecords(options: RequestRecordsOptions): Records {
  const { logger, metrics, ledger, contents, unowned } = options;
  const logRequest = requestLog(logger);
  return (record, exchange) => {
    const totalMs = sinceArrivalMs(exchange);
    logRequest(record, exchange, totalMs);
    metrics.observe(record, exchange, totalMs);
    const event = requestEvent(record, exchange, totalMs);
    if (event === null) {
      // Calls of operators are no riddle, and would take the place of what is one.
      if (record.apiKeyId !== null) return;
      const { route, errorCode, address } = record;
      unowned.note(exchange.requestId, route, exchange.status, errorCode, address);
      return;
    }
    ledger.recordRequest(event);
    const content = contentOf(record);
    if (content !== null) contents.keep(event.orgId, event.requestId, content);
  };
}
