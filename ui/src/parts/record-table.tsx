import { Mark, Moment, Table, type Column } from "./basics.tsx";
import { count, ms, notReported, usd } from "../format.ts";
import { tokensOf, type RecordedRequest } from "../records.ts";

export function StatusMark({ record }: { readonly record: RecordedRequest }) {
  const kind =
    record.status === "completed" ? "good" : record.status === "blocked" ? "warn" : "bad";
  return (
    <Mark kind={kind}>
      {record.status} {record.http_status === null ? "" : record.http_status}
    </Mark>
  );
}

/** What nobody reported is no 0, and stands back. */
function Known({ text }: { readonly text: string }) {
  return <span class={text === notReported ? "none" : undefined}>{text}</span>;
}

const columns: readonly Column<RecordedRequest>[] = [
  {
    name: "Time",
    cell: (row) => (
      <a href={`/messages/${encodeURIComponent(row.request_id ?? "")}`}>
        <Moment at={row.created_at} />
      </a>
    ),
  },
  { name: "Status", cell: (row) => <StatusMark record={row} /> },
  {
    name: "Model",
    cell: (row) =>
      row.model ?? <span class="none">{row.type === "scan" ? "scan" : "not known"}</span>,
  },
  { name: "Account", cell: (row) => row.account ?? <span class="none">–</span> },
  { name: "Tokens", cell: (row) => <Known text={count(tokensOf(row))} />, isNumber: true },
  { name: "Cost", cell: (row) => <Known text={usd(row.cost_usd)} />, isNumber: true },
  {
    name: "Verdict",
    cell: (row) =>
      row.verdict === null ? (
        <span class="none">–</span>
      ) : (
        <Mark kind={row.verdict === "allow" ? "good" : row.verdict === "flag" ? "warn" : "bad"}>
          {row.verdict}
        </Mark>
      ),
  },
  { name: "First byte", cell: (row) => <Known text={ms(row.first_byte_ms)} />, isNumber: true },
  { name: "Latency", cell: (row) => <Known text={ms(row.latency_ms)} />, isNumber: true },
  { name: "Error", cell: (row) => row.error_code ?? <span class="none">–</span> },
];

export function RecordTable({
  rows,
  label,
}: {
  readonly rows: readonly RecordedRequest[];
  readonly label: string;
}) {
  return <Table label={label} columns={columns} rows={rows} keyOf={(row) => String(row.index)} />;
}
