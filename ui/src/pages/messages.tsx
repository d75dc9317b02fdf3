import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { call, gatewayPath, withQuery } from "../api.ts";
import { asError } from "../data.ts";
import { count } from "../format.ts";
import { CopyCurl, Head, More, State } from "../parts/basics.tsx";
import { Chart } from "../parts/chart.tsx";
import { ColumnChoice, useColumns } from "../parts/columns.tsx";
import { Chosen, FilterPanel, useFilter, type Filter } from "../parts/filters.tsx";
import { fieldText } from "../parts/form.tsx";
import { useList } from "../parts/list.ts";
import { LiveStatus } from "../parts/live.tsx";
import { RangeChoice } from "../parts/range-choice.tsx";
import { useAddress, useRange, type Range } from "../parts/range.ts";
import { RecordTable } from "../parts/record-table.tsx";
import { groupSteps, useSeries } from "../parts/series.ts";
import { useTail } from "../parts/tail.ts";
import { TryIt } from "../parts/try-it.tsx";
import { session } from "../session.ts";
import { recordEnds, type RecordedRequest } from "../records.ts";

type Panel = "filters" | "columns";

export function Messages() {
  const { query, change } = useAddress();
  const range = useRange();
  const filter = useFilter();
  const columns = useColumns();
  const { since, until } = range;
  const path = withQuery(`${gatewayPath}/records`, { since, until, ...filter, limit: 50 });
  const list = useList<RecordedRequest>(path);
  // Nothing new comes into a range that has ended.
  const live = until === null ? (query["live"] ?? "") : "";
  const isPaused = live === "paused";
  const stream = withQuery(`${gatewayPath}/records/stream`, filter);
  const tail = useTail(live === "" ? null : stream, isPaused, list.reload);
  // The list may hold some of what the tail has told.
  const top = list.rows[0]?.index ?? -1;
  const news = tail.rows.filter(({ index }) => index > top);
  const rows = tail.isCut ? news : [...news, ...list.rows];
  const panel = query["panel"];
  const opener = (name: Panel, label: string) => (
    <button
      type="button"
      aria-expanded={panel === name}
      onClick={() => change({ panel: panel === name ? "" : name })}
    >
      {label}
    </button>
  );
  return (
    <>
      <Head
        title="Messages"
        about="Every request and scan, newest first. Press / to find one by its id."
      >
        <RangeChoice />
        <button
          type="button"
          aria-pressed={live !== ""}
          onClick={() => change(live === "" ? { live: "1", since: "", until: "" } : { live: "" })}
        >
          Live
        </button>
        {live === "" ? (
          <button type="button" onClick={list.reload}>
            Refresh
          </button>
        ) : (
          <button type="button" onClick={() => change({ live: isPaused ? "1" : "paused" })}>
            {isPaused ? "Resume" : "Pause"}
          </button>
        )}
        <CopyCurl path={path} />
      </Head>
      <div class="filters" role="group" aria-label="What is shown">
        <Find isWanted={query["find"] === "1"} />
        {opener("filters", "Filters")}
        {opener("columns", "Columns")}
        <Export filter={filter} range={range} />
        <Chosen filter={filter} />
      </div>
      {panel === "filters" ? <FilterPanel filter={filter} range={range} /> : null}
      {panel === "columns" ? <ColumnChoice /> : null}
      <Histogram filter={filter} range={range} list={list.value} />
      <LiveStatus tail={tail} isPaused={isPaused} />
      <State loaded={list}>
        {rows.length === 0 ? (
          <TryIt what="request" />
        ) : (
          <RecordTable label="Messages" rows={rows} columns={columns} />
        )}
        {list.more === null || tail.isCut ? null : <More onClick={list.more} />}
      </State>
    </>
  );
}

/**
 * How many there were over time, by their end. Usage tells requests from scans, so both are asked for; again when the
 * list was read again.
 */
function Histogram(props: {
  readonly filter: Filter;
  readonly range: Range;
  readonly list: object | null;
}) {
  const { filter, range, list } = props;
  const { changed } = useAddress();
  const { type, ...others } = filter;
  const more = { ...others, group_by: "status" };
  const one = useSeries("requests", range, { ...more, type: type ?? "request" });
  const other = useSeries("requests", range, { ...more, type: type ?? "scan" });
  const counted = useRef(list);
  useEffect(() => {
    if (counted.current !== null) {
      one.reload();
      other.reload();
    }
    counted.current = list;
  }, [list, one.reload, other.reload]);
  const steps = groupSteps(recordEnds, ...(type === undefined ? [one, other] : [one]));
  return (
    <State loaded={one}>
      {steps.length === 0 ? null : (
        <Chart
          title="Messages over time"
          names={recordEnds}
          steps={steps}
          show={count}
          range={range}
          linkOf={(since, until) => changed({ since, until })}
        />
      )}
    </State>
  );
}

/** Starts an export of what is shown, and leads to the page that tells how far it is. */
function Export({ filter, range }: { readonly filter: Filter; readonly range: Range }) {
  const { route } = useLocation();
  const [error, setError] = useState<string | null>(null);
  if (session.value?.key.role === "member") return null;
  const { since, until } = range;
  const start = async () => {
    try {
      const asked = { since, ...(until === null ? {} : { until }), ...filter };
      const body = { format: "csv", filter: asked };
      await call(`${gatewayPath}/exports`, { method: "POST", body });
      route("/exports");
    } catch (failure) {
      setError(asError(failure).message);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void start()}>
        Export as CSV
      </button>
      {error === null ? null : (
        <span class="error" role="alert">
          {error}
        </span>
      )}
    </>
  );
}

/** Leads to a request by its id. */
function Find({ isWanted }: { readonly isWanted: boolean }) {
  const { route } = useLocation();
  useEffect(() => {
    if (isWanted) document.getElementById("search")?.focus();
  }, [isWanted]);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const id = fieldText(event.currentTarget, "id");
        if (id !== "") route(`/messages/${encodeURIComponent(id)}`);
      }}
    >
      <input
        id="search"
        name="id"
        aria-label="Request id"
        placeholder="Request id"
        autocomplete="off"
      />{" "}
      <button type="submit">Open</button>
    </form>
  );
}
