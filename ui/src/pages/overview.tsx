import { useState } from "preact/hooks";
import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data, type Page } from "../data.ts";
import { count, day, ms, percent, usd } from "../format.ts";
import { Attention } from "../parts/attention.tsx";
import { Chart } from "../parts/chart.tsx";
import { Head, State } from "../parts/basics.tsx";
import { RangeChoice } from "../parts/range-choice.tsx";
import { useRange, type Range } from "../parts/range.ts";
import { RecordTable } from "../parts/record-table.tsx";
import { TryIt } from "../parts/try-it.tsx";
import { groupSteps, shareNames, shareSteps, singleSteps, useSeries } from "../parts/series.ts";
import { recordEnds, sumUsd, type BreakdownRow, type RecordedRequest } from "../records.ts";

export function Overview() {
  const range = useRange();
  const { since, until } = range;
  const requests = useSeries("requests", range, { group_by: "status" });
  const cost = useSeries("cost_usd", range);
  const latency = useSeries("latency_ms", range);
  const errors = useSeries("error_share", range);
  const totals = useData<Data<readonly BreakdownRow[]>>(
    withQuery(`${gatewayPath}/usage/breakdown`, { group_by: "status", since, until }),
  );
  // Two days hold today's first step, also where a day has 25 hours.
  const [twoDaysAgo] = useState(() => new Date(Date.now() - 48 * 3_600_000).toISOString());
  const days = useSeries("cost_usd", { ...range, since: twoDaysAgo, until: null, step: "1d" });
  const recent = useData<Page<RecordedRequest>>(
    withQuery(`${gatewayPath}/records`, { since, until, limit: 10 }),
  );
  return (
    <>
      <Head title="Overview">
        <RangeChoice />
      </Head>
      <State loaded={totals}>
        <Tiles rows={totals.value?.data ?? []} range={range} today={todayOf(days)} />
      </State>
      <Attention since={since} />
      <div class="columns">
        <Chart
          title="Requests"
          names={recordEnds}
          steps={groupSteps(recordEnds, requests)}
          show={count}
          range={range}
          linkOf={(from, to) => withQuery("/messages", { since: from, until: to, tz: range.tz })}
        />
        <Chart
          title="Cost"
          names={["Cost"]}
          steps={singleSteps(cost)}
          show={(value) => usd(value.toFixed(6))}
          range={range}
        />
        <Chart
          title="Latency"
          kind="lines"
          names={shareNames}
          steps={shareSteps(latency)}
          show={ms}
          range={range}
        />
        <Chart
          title="Share of errors"
          kind="lines"
          names={["Errors"]}
          steps={singleSteps(errors)}
          show={percent}
          range={range}
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

/** The cost of the day that it is in the chosen zone. */
function todayOf(days: ReturnType<typeof useSeries>): string {
  const last = days.value?.data.at(-1);
  const isToday = last !== undefined && day(last.start) === day(new Date().toISOString());
  return isToday ? String(last.value ?? "0") : "0";
}

function Tiles(props: {
  readonly rows: readonly BreakdownRow[];
  readonly range: Range;
  readonly today: string;
}) {
  const { rows, range, today } = props;
  const untilMs = range.until === null ? Date.now() : Date.parse(range.until);
  const seconds = (untilMs - Date.parse(range.since)) / 1000;
  const sum = (of: (row: BreakdownRow) => number) =>
    rows.reduce((total, row) => total + of(row), 0);
  const requests = sum((row) => row.requests);
  const completed = rows.find(({ key }) => key === "completed");
  return (
    <dl class="tiles">
      <Tile name="Requests" value={count(requests)} />
      <Tile name="A second" value={(requests / seconds).toFixed(3)} />
      <Tile
        name="Errors"
        value={requests === 0 ? "0 %" : percent(sum((row) => row.errors) / requests)}
      />
      <Tile name="Blocked" value={count(sum((row) => row.blocked))} />
      <Tile name="Tokens" value={count(sum((row) => row.tokens))} />
      <Tile name="Cost" value={usd(sumUsd(rows.map((row) => row.cost_usd)))} />
      <Tile name="Cost today" value={usd(today)} />
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
