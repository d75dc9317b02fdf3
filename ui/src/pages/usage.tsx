import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data } from "../data.ts";
import { count, ms, percent, usd } from "../format.ts";
import { CopyCurl, Head, State, Table, type Column } from "../parts/basics.tsx";
import { Chart } from "../parts/chart.tsx";
import { RangeChoice } from "../parts/range-choice.tsx";
import { useAddress, useRange } from "../parts/range.ts";
import { TryIt } from "../parts/try-it.tsx";
import { singleSteps, useSeries } from "../parts/series.ts";
import { sumUsd, type BreakdownRow } from "../records.ts";

const groups = ["model", "provider", "account", "key", "team", "tag", "error_code"] as const;

/** What was used, by group; each row leads to its messages. Scans are apart, on the security page. */
export function Usage() {
  const { query, change } = useAddress();
  const range = useRange();
  const { since, until } = range;
  const group = groups.find((name) => name === query["by"]) ?? "model";
  const path = withQuery(`${gatewayPath}/usage/breakdown`, { group_by: group, since, until });
  const breakdown = useData<Data<readonly BreakdownRow[]>>(path);
  const tokens = useSeries("tokens", range);
  const rows = breakdown.value?.data ?? [];
  return (
    <>
      <Head
        title="Usage"
        about={`${usd(sumUsd(rows.map((row) => row.cost_usd)))} in this range, by ${group.replace("_", " ")}.`}
      >
        <RangeChoice />
        <CopyCurl path={path} />
      </Head>
      <Chart
        title="Tokens"
        names={["Tokens"]}
        steps={singleSteps(tokens)}
        show={count}
        range={range}
      />
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
            columns={columnsOf(group, query)}
            rows={rows}
            keyOf={({ key, rest }) => `${key ?? ""}${rest ?? ""}`}
          />
        )}
      </State>
    </>
  );
}

function columnsOf(
  group: string,
  { range, since, until, tz }: Readonly<Record<string, string>>,
): readonly Column<BreakdownRow>[] {
  const cell = ({ key, rest }: BreakdownRow) => {
    if (key === null) return <span class="none">{rest === true ? "all others" : "not known"}</span>;
    return <a href={withQuery("/messages", { [group]: key, range, since, until, tz })}>{key}</a>;
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
