import type { ComponentChildren } from "preact";
import { Id, Mark, Moment, Table, type Column } from "./basics.tsx";
import { count, ms, notReported, usd } from "../format.ts";
import { inputTokensOf, outputTokensOf, tokensOf, type RecordedRequest } from "../records.ts";

export function StatusMark({ record }: { readonly record: RecordedRequest }) {
  const kind =
    record.status === "completed" ? "good" : record.status === "blocked" ? "warn" : "bad";
  return (
    <Mark kind={kind}>
      {record.status} {record.http_status === null ? "" : record.http_status}
    </Mark>
  );
}

export function VerdictMark({ verdict }: { readonly verdict: string | null }) {
  if (verdict === null) return none;
  return (
    <Mark kind={verdict === "allow" ? "good" : verdict === "flag" ? "warn" : "bad"}>{verdict}</Mark>
  );
}

/** What nobody reported is no 0, and stands back. */
function Known({ text }: { readonly text: string }) {
  return <span class={text === notReported ? "none" : undefined}>{text}</span>;
}

const none = <span class="none">–</span>;

function textColumn(name: string, of: (row: RecordedRequest) => string | null): RecordColumn {
  return { name, cell: (row) => of(row) ?? none };
}

function idColumn(name: string, of: (row: RecordedRequest) => string | null): RecordColumn {
  const cell = (row: RecordedRequest) => {
    const id = of(row);
    return id === null ? none : <Id id={id} />;
  };
  return { name, cell };
}

function numberColumn(name: string, of: (row: RecordedRequest) => string): RecordColumn {
  return { name, cell: (row) => <Known text={of(row)} />, isNumber: true };
}

type RecordColumn = Column<RecordedRequest>;

/** All columns, by the names that an address has. */
export const recordColumns = {
  time: {
    name: "Time",
    cell: (row): ComponentChildren => (
      <a href={`/messages/${encodeURIComponent(row.request_id ?? "")}`}>
        <Moment at={row.created_at} />
      </a>
    ),
  },
  status: { name: "Status", cell: (row): ComponentChildren => <StatusMark record={row} /> },
  type: textColumn("Type", (row) => row.type),
  route: textColumn("Route", (row) => row.route),
  key: idColumn("Key", (row) => row.api_key_id),
  team: textColumn("Team", (row) => row.team),
  org: idColumn("Organization", (row) => row.org_id),
  model: {
    name: "Model",
    cell: (row): ComponentChildren =>
      row.model ?? <span class="none">{row.type === "scan" ? "scan" : "not known"}</span>,
  },
  provider: textColumn("Provider", (row) => row.provider),
  account: textColumn("Account", (row) => row.account),
  tokens: numberColumn("Tokens", (row) => count(tokensOf(row))),
  input: numberColumn("In", (row) => count(inputTokensOf(row))),
  output: numberColumn("Out", (row) => count(outputTokensOf(row))),
  cached: numberColumn("Cached", (row) => count(row.tokens?.cache_read ?? null)),
  cost: numberColumn("Cost", (row) => usd(row.cost_usd)),
  cost_status: textColumn("Cost status", (row) => row.cost_status),
  verdict: {
    name: "Verdict",
    cell: ({ verdict }): ComponentChildren => <VerdictMark verdict={verdict} />,
  },
  score: textColumn("Score", (row) => row.score?.toFixed(3) ?? null),
  policy_action: textColumn("Policy", (row) => row.policy_action),
  dry_run_action: textColumn("Dry run would have", (row) => row.dry_run_action),
  findings: textColumn("Found", ({ findings }) =>
    findings === null
      ? null
      : Object.entries(findings)
          .map(([label, times]) => `${label} ${count(times)}`)
          .join(", "),
  ),
  cache: textColumn("Cache", (row) => row.cache),
  stream: textColumn("Stream", ({ stream }) => (stream === null ? null : stream ? "yes" : "no")),
  first_byte: numberColumn("First byte", (row) => ms(row.first_byte_ms)),
  latency: numberColumn("Latency", (row) => ms(row.latency_ms)),
  error: textColumn("Error", (row) => row.error_code),
  tags: textColumn("Tags", ({ tags }) =>
    tags === null
      ? null
      : Object.entries(tags)
          .map((tag) => tag.join(":"))
          .join(" "),
  ),
  request_id: textColumn("Request id", (row) => row.request_id),
} as const satisfies Readonly<Record<string, RecordColumn>>;

export type RecordColumnName = keyof typeof recordColumns;
export const recordColumnNames = Object.keys(recordColumns) as RecordColumnName[];

/** Shown unless the address names others. */
export const usualColumns: readonly RecordColumnName[] = [
  "time",
  "status",
  "key",
  "model",
  "account",
  "input",
  "output",
  "cached",
  "cost",
  "cost_status",
  "verdict",
  "first_byte",
  "latency",
  "error",
];

const fewColumns: readonly RecordColumnName[] = [
  "time",
  "status",
  "model",
  "account",
  "tokens",
  "cost",
  "verdict",
  "first_byte",
  "latency",
  "error",
];

export function RecordTable({
  rows,
  label,
  columns = fewColumns,
}: {
  readonly rows: readonly RecordedRequest[];
  readonly label: string;
  readonly columns?: readonly RecordColumnName[];
}) {
  return (
    <Table
      label={label}
      columns={columns.map((name) => recordColumns[name])}
      rows={rows}
      keyOf={(row) => String(row.index)}
    />
  );
}
