import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data } from "../data.ts";
import { count, ms, percent, usd } from "../format.ts";
import { CopyCurl, Head, State, Table, type Column } from "../parts/basics.tsx";
import { Chart } from "../parts/chart.tsx";
import { RangeChoice } from "../parts/range-choice.tsx";
import { useAddress, useRange } from "../parts/range.ts";
import { TryIt } from "../parts/try-it.tsx";
import { sumUsd, type BreakdownRow, type SeriesRow } from "../records.ts";

const groups = ["model", "provider", "account", "key", "team", "tag", "error_code"] as const;

/** What was used, by group; each row leads to its messages. Scans are apart, on the security page. */
export function Usage() {
  const { query, change } = useAddress();
  const { since, step, tz, range } = useRange();
  const group = groups.find((name) => name === query["by"]) ?? "model";
  const path = withQuery(`${gatewayPath}/usage/breakdown`, { group_by: group, since });
  const breakdown = useData<Data<readonly BreakdownRow[]>>(path);
  const tokens = useData<Data<readonly SeriesRow[]>>(
    withQuery(`${gatewayPath}/usage/series`, { metric: "tokens", since, step, tz }),
  );
  const rows = breakdown.value?.data ?? [];
  const points = (tokens.value?.data ?? []).map(({ start, value }) => ({
    start,
    value: Number(value ?? 0),
  }));
  return (
    <>
      <Head
        title="Usage"
        about={`${usd(sumUsd(rows.map((row) => row.cost_usd)))} in ${range}, by ${group.replace("_", " ")}.`}
      >
        <RangeChoice />
        <CopyCurl path={path} />
      </Head>
      <Chart title="Tokens" points={points} show={count} since={since} />
      <div class="filters" role="group" aria-label="Group by">
        {groups.map((name) => (
          <button
            type="button"
            key={name}
            aria-pressed={name === group}
            onClick={() => change({ by: name === "model" ? "" : name })}
          >
            {name.replace("_", " ")}
          </button>
        ))}
      </div>
      <State loaded={breakdown}>
        {rows.length === 0 ? (
          <TryIt what="request" />
        ) : (
          <Table
            label="Usage"
            columns={columnsOf(group, query["range"] ?? "")}
            rows={rows}
            keyOf={({ key, rest }) => `${key ?? ""}${rest ?? ""}`}
          />
        )}
      </State>
    </>
  );
}

function columnsOf(group: string, range: string): readonly Column<BreakdownRow>[] {
  const cell = ({ key, rest }: BreakdownRow) => {
    if (key === null) return <span class="none">{rest === true ? "all others" : "not known"}</span>;
    return <a href={withQuery("/messages", { [group]: key, range })}>{key}</a>;
  };
  return [
    { name: group.replace("_", " "), cell },
    { name: "Requests", cell: (row) => count(row.requests), isNumber: true },
    {
      name: "Errors",
      cell: (row) => percent(row.requests === 0 ? 0 : row.errors / row.requests),
      isNumber: true,
    },
    { name: "Blocked", cell: (row) => count(row.blocked), isNumber: true },
    { name: "Tokens", cell: (row) => count(row.tokens), isNumber: true },
    { name: "Cost", cell: (row) => usd(row.cost_usd), isNumber: true },
    { name: "p50", cell: (row) => ms(row.latency_ms.p50), isNumber: true },
    { name: "p95", cell: (row) => ms(row.latency_ms.p95), isNumber: true },
    { name: "p99", cell: (row) => ms(row.latency_ms.p99), isNumber: true },
  ];
}
