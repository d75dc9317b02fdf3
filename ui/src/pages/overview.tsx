import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data, type Page } from "../data.ts";
import { count, ms, percent, usd } from "../format.ts";
import { Chart, type Point } from "../parts/chart.tsx";
import { Head, State } from "../parts/basics.tsx";
import { RangeChoice } from "../parts/range-choice.tsx";
import { useRange } from "../parts/range.ts";
import { RecordTable } from "../parts/record-table.tsx";
import { TryIt } from "../parts/try-it.tsx";
import { sumUsd, type BreakdownRow, type RecordedRequest, type SeriesRow } from "../records.ts";

export function Overview() {
  const { since, step, tz } = useRange();
  const series = (metric: string) =>
    withQuery(`${gatewayPath}/usage/series`, { metric, since, step, tz });
  const requests = useData<Data<readonly SeriesRow[]>>(series("requests"));
  const cost = useData<Data<readonly SeriesRow[]>>(series("cost_usd"));
  const latency = useData<Data<readonly SeriesRow[]>>(series("latency_ms"));
  const errors = useData<Data<readonly SeriesRow[]>>(series("error_share"));
  const totals = useData<Data<readonly BreakdownRow[]>>(
    withQuery(`${gatewayPath}/usage/breakdown`, { group_by: "status", since }),
  );
  const recent = useData<Page<RecordedRequest>>(
    withQuery(`${gatewayPath}/records`, { since, limit: 10 }),
  );
  return (
    <>
      <Head title="Overview">
        <RangeChoice />
      </Head>
      <State loaded={totals}>
        <Tiles rows={totals.value?.data ?? []} />
      </State>
      <div class="columns">
        <Chart
          title="Requests"
          points={pointsOf(requests.value?.data)}
          show={count}
          since={since}
        />
        <Chart
          title="Cost"
          points={pointsOf(cost.value?.data)}
          show={(value) => usd(value.toFixed(6))}
          since={since}
        />
        <Chart
          title="Latency, 95th percentile"
          points={pointsOf(latency.value?.data)}
          show={ms}
          since={since}
        />
        <Chart
          title="Share of errors"
          points={pointsOf(errors.value?.data)}
          show={percent}
          since={since}
        />
      </div>
      <section>
        <Head title="Latest" />
        <State loaded={recent}>
          {recent.value?.data.length === 0 ? (
            <TryIt what="request" />
          ) : (
            <RecordTable label="Latest messages" rows={recent.value?.data ?? []} />
          )}
        </State>
      </section>
    </>
  );
}

function Tiles({ rows }: { readonly rows: readonly BreakdownRow[] }) {
  const sum = (of: (row: BreakdownRow) => number) =>
    rows.reduce((total, row) => total + of(row), 0);
  const requests = sum((row) => row.requests);
  const completed = rows.find(({ key }) => key === "completed");
  return (
    <dl class="tiles">
      <Tile name="Requests" value={count(requests)} />
      <Tile
        name="Errors"
        value={requests === 0 ? "0 %" : percent(sum((row) => row.errors) / requests)}
      />
      <Tile name="Blocked" value={count(sum((row) => row.blocked))} />
      <Tile name="Tokens" value={count(sum((row) => row.tokens))} />
      <Tile name="Cost" value={usd(sumUsd(rows.map((row) => row.cost_usd)))} />
      <Tile
        name="Latency p95"
        value={completed === undefined ? "–" : ms(completed.latency_ms.p95)}
      />
    </dl>
  );
}

function Tile({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function pointsOf(rows: readonly SeriesRow[] | undefined): readonly Point[] {
  return (rows ?? []).map(({ start, value, p95 }) => ({ start, value: Number(value ?? p95 ?? 0) }));
}
