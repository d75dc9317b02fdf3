import type { ComponentChildren } from "preact";
import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data, type Loaded, type Page } from "../data.ts";
import { count, ms, percent } from "../format.ts";
import { CopyCurl, Head, State, Table, type Column } from "../parts/basics.tsx";
import { Chart } from "../parts/chart.tsx";
import { RangeChoice } from "../parts/range-choice.tsx";
import { useAddress, useRange, type Range } from "../parts/range.ts";
import { RecordTable } from "../parts/record-table.tsx";
import { groupSteps, useSeries } from "../parts/series.ts";
import { TryIt } from "../parts/try-it.tsx";
import { Batches } from "../parts/batches.tsx";
import { session } from "../session.ts";
import type { BreakdownRow, RecordedRequest } from "../records.ts";

const verdictNames = ["allow", "flag", "block"] as const;
/** What is looked at: scans, which advise, or model requests, which a policy may stop. */
const types = { scan: "Scans", request: "Requests" } as const;
type RecordType = keyof typeof types;

type Groups = Loaded<Data<readonly BreakdownRow[]>>;

/** Verdicts, scores and findings of scans or of requests, and what policies did. */
export function Security() {
  const { query, change } = useAddress();
  const range = useRange();
  const { since, until } = range;
  const type: RecordType = query["of"] === "request" ? "request" : "scan";
  const overTime = useSeries("requests", range, { type, group_by: "verdict" });
  const path = withQuery(`${gatewayPath}/records`, { since, until, type, limit: 50 });
  const latest = useData<Page<RecordedRequest>>(path);
  return (
    <>
      <Head
        title="Security"
        about={
          type === "scan"
            ? "Scans by route: rest, batch, mcp. They advise; they stop nothing, and no model's usage has them."
            : "What the security policy found in requests and answers."
        }
      >
        <RangeChoice />
        <CopyCurl path={path} />
      </Head>
      <div class="filters" role="group" aria-label="Of">
        {(Object.keys(types) as RecordType[]).map((one) => (
          <button
            type="button"
            key={one}
            aria-pressed={one === type}
            onClick={() => change({ of: one === "scan" ? "" : one })}
          >
            {types[one]}
          </button>
        ))}
      </div>
      <Chart
        title="Verdicts over time"
        names={verdictNames}
        steps={groupSteps(verdictNames, overTime)}
        show={count}
        range={range}
        linkOf={(from, to) =>
          withQuery("/messages", { type, since: from, until: to, tz: range.tz })
        }
      />
      <div class="columns">
        <Breakdown title="Route" by="route" type={type} range={range} />
        <Breakdown title="Verdict" by="verdict" type={type} range={range} />
        <Scores type={type} range={range} />
        <Breakdown title="Found" by="finding" type={type} range={range} />
        <Policies range={range} />
      </div>
      {type === "request" || session.value?.key.role === "member" ? null : <Batches />}
      <State loaded={latest}>
        {latest.value?.data.length === 0 ? (
          <TryIt what={type} />
        ) : (
          <RecordTable label={types[type]} rows={latest.value?.data ?? []} />
        )}
      </State>
    </>
  );
}

function useGroups(group_by: string, type: RecordType, { since, until }: Range): Groups {
  const path = withQuery(`${gatewayPath}/usage/breakdown`, { group_by, since, until, type });
  return useData(path);
}

/** Messages of the range with a value of a filter. */
function useLink(): (filter: Readonly<Record<string, string>>) => string {
  const { range, since, until, tz } = useAddress().query;
  return (filter) => withQuery("/messages", { ...filter, range, since, until, tz });
}

function Panel(props: {
  readonly title: string;
  readonly loaded: Groups;
  readonly isEmpty: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="panel">
      <h2>{props.title}</h2>
      <State loaded={props.loaded}>
        {props.isEmpty ? <p class="none">Nothing in this range.</p> : props.children}
      </State>
    </section>
  );
}

function Breakdown(props: {
  readonly title: string;
  readonly by: "route" | "verdict" | "finding";
  readonly type: RecordType;
  readonly range: Range;
}) {
  const { title, by, type, range } = props;
  const loaded = useGroups(by, type, range);
  const link = useLink();
  const rows = loaded.value?.data ?? [];
  const many: Column<BreakdownRow> = {
    name: types[type],
    cell: (row) => count(row.requests),
    isNumber: true,
  };
  return (
    <Panel title={title} loaded={loaded} isEmpty={rows.length === 0}>
      <Table
        label={`${types[type]} by ${by}`}
        rows={rows}
        keyOf={({ key }) => key ?? ""}
        columns={[
          {
            name: title,
            cell: ({ key, rest }) =>
              key === null ? (
                <span class="none">{rest === true ? "all others" : "none"}</span>
              ) : (
                <a href={link({ type, [by]: key })}>{key}</a>
              ),
          },
          many,
          { name: "Failed", cell: (row) => count(row.errors), isNumber: true },
          { name: "p95", cell: (row) => ms(row.latency_ms.p95), isNumber: true },
        ]}
      />
    </Panel>
  );
}

/** Injection scores by tenths: where a threshold would cut. */
function Scores({ type, range }: { readonly type: RecordType; readonly range: Range }) {
  const loaded = useGroups("score", type, range);
  const rows = (loaded.value?.data ?? [])
    .flatMap(({ key, requests }) => (key === null ? [] : [{ key, requests }]))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const all = rows.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <Panel title="Injection score" loaded={loaded} isEmpty={rows.length === 0}>
      <Table
        label={`${types[type]} by score`}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { name: "Score", cell: ({ key }) => `${key} to ${(Number(key) + 0.1).toFixed(1)}` },
          { name: types[type], cell: ({ requests }) => count(requests), isNumber: true },
          { name: "Share", cell: ({ requests }) => percent(requests / all), isNumber: true },
        ]}
      />
    </Panel>
  );
}

const actions = {
  block: "block the request",
  replace: "replace a harmful text",
  redact: "redact what was found",
  flag: "note what was found",
} as const;

/** What policies did with requests, and what those would have done that are dry runs. */
function Policies({ range }: { readonly range: Range }) {
  const done = useGroups("policy_action", "request", range);
  const dry = useGroups("dry_run_action", "request", range);
  const link = useLink();
  const of = ({ value }: Groups, action: string): number =>
    value?.data.find(({ key }) => key === action)?.requests ?? 0;
  const rows = Object.entries(actions).filter(([one]) => of(done, one) + of(dry, one) > 0);
  const cell = (filter: string, action: string, many: number) =>
    many === 0 ? 0 : <a href={link({ type: "request", [filter]: action })}>{count(many)}</a>;
  return (
    <Panel
      title="Policies"
      loaded={done.error === null && done.value !== null ? dry : done}
      isEmpty={rows.length === 0}
    >
      <Table
        label="Requests by what policies do"
        rows={rows}
        keyOf={([one]) => one}
        columns={[
          { name: "To", cell: ([, words]) => words },
          {
            name: "Done",
            cell: ([one]) => cell("policy_action", one, of(done, one)),
            isNumber: true,
          },
          {
            name: "A dry run would have",
            cell: ([one]) => cell("dry_run_action", one, of(dry, one)),
            isNumber: true,
          },
        ]}
      />
    </Panel>
  );
}
