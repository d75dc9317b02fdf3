import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { call, gatewayPath, withQuery } from "../api.ts";
import { asError, useData, type Page } from "../data.ts";
import { CopyCurl, Head, More, State } from "../parts/basics.tsx";
import { RangeChoice } from "../parts/range-choice.tsx";
import { useAddress, useRange } from "../parts/range.ts";
import { RecordTable } from "../parts/record-table.tsx";
import { TryIt } from "../parts/try-it.tsx";
import { fieldText } from "../parts/form.tsx";
import type { RecordedRequest } from "../records.ts";

/** Filters with a fixed set of values. */
const choices = {
  type: ["request", "scan"],
  status: ["completed", "blocked", "failed"],
  verdict: ["allow", "flag", "block"],
  cache: ["hit", "miss"],
} as const;
/** Filters that take a text. */
const texts = {
  model: "Model",
  account: "Account",
  key: "Key id",
  team: "Team",
  error_code: "Error code",
  tag: "Tag name:value",
  min_latency_ms: "At least ms",
  min_cost_usd: "At least $",
} as const;

const names = [...Object.keys(choices), ...Object.keys(texts)];

export function Messages() {
  const { query, change } = useAddress();
  const { since } = useRange();
  const filters = Object.fromEntries(names.map((name) => [name, query[name] ?? ""]));
  const path = withQuery(`${gatewayPath}/records`, { since, ...filters, limit: 50 });
  const first = useData<Page<RecordedRequest>>(path);
  const [more, setMore] = useState<Page<RecordedRequest> | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => setMore(null), [path]);
  const cursor = more === null ? (first.value?.nextCursor ?? null) : more.nextCursor;
  const rows = [...(first.value?.data ?? []), ...(more?.data ?? [])];
  const next = async () => {
    try {
      const page = await call<Page<RecordedRequest>>(
        withQuery(path, {}) + `&cursor=${encodeURIComponent(cursor ?? "")}`,
      );
      setMore({ data: [...(more?.data ?? []), ...page.data], nextCursor: page.nextCursor });
    } catch (failure) {
      setError(asError(failure).message);
    }
  };
  return (
    <>
      <Head
        title="Messages"
        about="Every request and scan, newest first. Press / to find one by its id."
      >
        <RangeChoice />
        <button type="button" onClick={first.reload}>
          Refresh
        </button>
        <CopyCurl path={path} />
      </Head>
      <Find isWanted={query["find"] === "1"} />
      <div class="filters" role="group" aria-label="Filters">
        {Object.entries(choices).map(([name, values]) => (
          <select
            key={name}
            aria-label={name}
            value={filters[name]}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          >
            <option value="">any {name}</option>
            {values.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        ))}
        {Object.entries(texts).map(([name, label]) => (
          <input
            key={name}
            aria-label={label}
            placeholder={label}
            value={filters[name]}
            onChange={(event) => change({ [name]: event.currentTarget.value.trim() })}
          />
        ))}
      </div>
      <State loaded={first}>
        {rows.length === 0 ? (
          <TryIt what="request" />
        ) : (
          <RecordTable label="Messages" rows={rows} />
        )}
        {cursor === null ? null : <More onClick={() => void next()} />}
        {error === null ? null : <p class="error">{error}</p>}
      </State>
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
      class="filters"
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
        placeholder="Request id, req_…"
        autocomplete="off"
      />
      <button type="submit">Open</button>
    </form>
  );
}
