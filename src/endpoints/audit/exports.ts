import {
  bundleForm,
  type BundleEnd,
  type BundleHeader,
  type BundleRecord,
} from "../../contract/audit-api.ts";
import { downloadRowsPerStep } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import {
  passes,
  type AuditLog,
  type EventFilter,
  type LoggedEvent,
} from "../../store/embedded/audit/audit-log.ts";
import { downloadHeaders, streamCsv, streamPages, type DownloadExchange } from "../csv.ts";
import { readFilter, type FilteredCall } from "./filter.ts";
import { recordColumns, recordLine } from "./record-csv.ts";

/**
 * `GET /v1/audit/export.csv`: requests and scans that pass the filter, oldest first, up to those recorded
 * when it began. Errors: `invalid_request`.
 */
export async function exportCsv(
  log: AuditLog,
  call: FilteredCall,
  exchange: DownloadExchange,
): Promise<Outcome<null>> {
  const filter = readFilter(call);
  if (!filter.ok) return filter;
  const nextRun = runs(log, filter.value, log.size);
  await streamCsv(exchange, "audit.csv", recordColumns, () => {
    const run = nextRun();
    return run === null ? null : run.map(recordLine).join("");
  });
  return accept(null);
}

/**
 * `GET /v1/audit/export.jsonl`: a bundle for the offline verifier. An operator without a filter gets the
 * whole log; otherwise it has the events that pass the filter, each with its proof. Errors:
 * `invalid_request`, `not_found` if the log is empty, `internal_error`.
 */
export async function exportBundle(
  log: AuditLog,
  call: FilteredCall,
  exchange: DownloadExchange,
): Promise<Outcome<null>> {
  const filter = readFilter(call);
  if (!filter.ok) return filter;
  const checkpoint = await log.checkpoint();
  if (!checkpoint.ok) return checkpoint;
  const isWhole = call.orgId === null && call.query.size === 0;
  const treeSize = Number(checkpoint.value.split("\n")[1]);
  const header: BundleHeader = {
    form: bundleForm,
    kind: isWhole ? "log" : "records",
    orgId: call.orgId,
    treeSize,
    verifierKey: log.verifierKey,
    checkpoint: checkpoint.value,
  };
  const nextRun = runs(log, filter.value, treeSize);
  const rest = isWhole ? wholeLog(nextRun) : recordsWithProofs(nextRun, log.prover(treeSize));
  let begun = false;
  await streamPages(exchange, downloadHeaders("application/jsonl", "audit.jsonl"), () => {
    if (begun) return rest();
    begun = true;
    return `${JSON.stringify(header)}\n`;
  });
  return accept(null);
}

type NextRun = () => readonly LoggedEvent[] | null;

/**
 * The events below `end` that pass, in runs of at most `downloadRowsPerStep`, which may be empty; null if
 * there are no more.
 */
function runs(log: AuditLog, filter: EventFilter, end: number): NextRun {
  let next = 0;
  let read: readonly LoggedEvent[] = [];
  return () => {
    if (read.length === 0) {
      next = log.placeFrom(next, end, filter);
      if (next >= end) return null;
      read = log.run(next).slice(0, end - next);
      const last = read.at(-1);
      // Every event below the tree's size is stored.
      if (last === undefined) throw new Error("the audit log lacks an event");
      next = last.index + 1;
    }
    const run = read.slice(0, downloadRowsPerStep);
    read = read.slice(downloadRowsPerStep);
    return run.filter(({ line }) => passes(line, filter));
  };
}

function wholeLog(nextRun: NextRun): () => string | null {
  return () => {
    const run = nextRun();
    return run === null ? null : run.map(({ line }) => `${line}\n`).join("");
  };
}

function recordsWithProofs(
  nextRun: NextRun,
  prove: (index: number) => readonly Buffer[],
): () => string | null {
  let records = 0;
  let ended = false;
  return () => {
    if (ended) return null;
    const run = nextRun();
    ended = run === null;
    if (run === null) return `${JSON.stringify({ records } satisfies BundleEnd)}\n`;
    records += run.length;
    return run
      .map(({ index, line }) => {
        const hashes = prove(index).map((hash) => hash.toString("base64"));
        return `${JSON.stringify({ index, leaf: line, hashes } satisfies BundleRecord)}\n`;
      })
      .join("");
  };
}
