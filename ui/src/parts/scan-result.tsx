import type { ScanResponse } from "../../../src/contract/scan-response.ts";
import { Table } from "./basics.tsx";
import { VerdictMark } from "./record-table.tsx";

export type Scanned = ScanResponse;

/** A finding of a scan, as a row: what, where, and what a policy says about it. */
interface Row {
  readonly what: string;
  readonly place: string;
  readonly score: string;
  readonly action: string;
}

/** What a scan found. `actionOf` says what a policy does with a family of entities. */
export function ScanResult({
  scanned,
  actionOf,
}: {
  readonly scanned: Scanned;
  readonly actionOf?: (category: string) => string;
}) {
  const { injection, detections, custom_pattern_findings: patterns } = scanned;
  const rows: readonly Row[] = [
    ...detections.map(({ label, category, start, end, score }) => ({
      what: `${label} (${category})`,
      place: `${start}–${end}`,
      score: score.toFixed(2),
      action: actionOf?.(category) ?? "",
    })),
    ...patterns.map(({ pattern_name: name, start, end, action }) => ({
      what: `pattern ${name}`,
      place: `${start}–${end}`,
      score: "",
      action,
    })),
  ];
  return (
    <div aria-live="polite">
      <dl class="facts">
        <dt>Prompt injection</dt>
        <dd>
          {injection === null ? (
            "not looked for"
          ) : (
            <>
              <VerdictMark verdict={injection.verdict} />
              {injection.score === null ? "" : `, score ${injection.score}`}
            </>
          )}
        </dd>
        {typeof scanned.redacted_text === "string" ? (
          <>
            <dt>Redacted</dt>
            <dd>{scanned.redacted_text}</dd>
          </>
        ) : null}
      </dl>
      {rows.length === 0 ? (
        <p class="none">Nothing else was found.</p>
      ) : (
        <Table
          label="Findings"
          rows={rows}
          keyOf={({ what, place }) => `${what} ${place}`}
          columns={[
            { name: "Found", cell: ({ what }) => what },
            { name: "Characters", cell: ({ place }) => place, isNumber: true },
            { name: "Score", cell: ({ score }) => score, isNumber: true },
            ...(actionOf === undefined
              ? []
              : [{ name: "Then", cell: ({ action }: Row) => action }]),
          ]}
        />
      )}
    </div>
  );
}
