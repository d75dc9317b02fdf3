import { eraseEventContent, eraseOrganizationContent } from "./content.ts";
import { asker } from "../records/endpoint.ts";
import { exportAskedCsv, isFiltered, listAskedEvents } from "./asked.ts";
import { auditing, type AuditEndpoint, type AuditServices } from "./endpoint.ts";
import { listEvents, proveEvent, showEvent } from "./events.ts";
import { exportBundle, exportCsv } from "./exports.ts";
import { filterParameters } from "./filter.ts";
import { proveConsistency, showCheckpoint, showVerifierKey } from "./tree.ts";

/** A download looks for itself whether its client has left. */
const noneLeaves = { onGone: () => undefined };

type Table = Readonly<Record<string, Readonly<Record<string, ReturnType<typeof auditing>>>>>;

/** Every endpoint of `/v1/audit` by path and method (design section 7, `/v1/audit`). */
export function auditRoutes(services: AuditServices): Table {
  const { auditLog } = services;
  const on = (parameters: readonly string[], endpoint: AuditEndpoint) =>
    auditing(services, parameters, endpoint);
  const base = "/v1/audit";
  return {
    [`${base}/events`]: {
      GET: on([...filterParameters, "limit", "cursor"], (call, exchange) =>
        isFiltered(call)
          ? listAskedEvents(asker(services, call.auditor.key.id, exchange), call)
          : listEvents(auditLog, call),
      ),
    },
    [`${base}/events/:index`]: {
      GET: on(["reason"], (call, exchange) =>
        showEvent(auditLog, services, call, exchange.requestId),
      ),
    },
    [`${base}/events/:index/content`]: {
      DELETE: on([], (call, exchange) => eraseEventContent(services, call, exchange)),
    },
    [`${base}/content`]: {
      DELETE: on(["orgId"], (call, exchange) => eraseOrganizationContent(services, call, exchange)),
    },
    [`${base}/events/:index/proof`]: { GET: on([], (call) => proveEvent(auditLog, call)) },
    [`${base}/checkpoint`]: { GET: on([], () => showCheckpoint(auditLog)) },
    [`${base}/consistency`]: {
      GET: on(["first", "second"], (call) => proveConsistency(auditLog, call)),
    },
    [`${base}/key`]: { GET: on([], () => showVerifierKey(auditLog)) },
    [`${base}/export.csv`]: {
      GET: on(filterParameters, (call, exchange) =>
        isFiltered(call)
          ? exportAskedCsv(
              asker(services, call.auditor.key.id, noneLeaves),
              auditLog.size,
              call,
              exchange,
            )
          : exportCsv(auditLog, call, exchange),
      ),
    },
    [`${base}/export.jsonl`]: {
      GET: on(filterParameters, (call, exchange) => exportBundle(auditLog, call, exchange)),
    },
  };
}
