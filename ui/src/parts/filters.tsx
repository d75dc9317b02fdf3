import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data } from "../data.ts";
import { count } from "../format.ts";
import type { Facets } from "../records.ts";
import { shortId } from "./basics.tsx";
import { fieldText } from "./form.tsx";
import { useAddress, type Range } from "./range.ts";

/** Filters of `/records` whose values are counted, in the order in which they are shown. */
const counted = {
  type: "Type",
  status: "Status",
  http_status: "HTTP status",
  error_code: "Error",
  model: "Model",
  provider: "Provider",
  account: "Account",
  key: "Key",
  team: "Team",
  orgId: "Organization",
  route: "Route",
  verdict: "Verdict",
  policy_action: "Policy",
  dry_run_action: "Dry run would have",
  cost_status: "Cost status",
  cache: "Cache",
} as const;
/** Filters that take a text. */
const written = {
  tag: ["Tag", "name:value"],
  finding: ["Found", "EMAIL"],
  min_latency_ms: ["Latency at least, ms", "1500"],
  min_cost_usd: ["Cost at least, $", "0.25"],
} as const;

const names: Readonly<Record<string, string>> = {
  ...counted,
  ...Object.fromEntries(Object.entries(written).map(([name, [label]]) => [name, label])),
};

export type Filter = Readonly<Record<string, string>>;

/** The filters in the page's address. */
export function useFilter(): Filter {
  const { query } = useAddress();
  const set = Object.keys(names).map((name) => [name, query[name] ?? ""] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== ""));
}

/** What is filtered now; each goes at a click. */
export function Chosen({ filter }: { readonly filter: Filter }) {
  const { change } = useAddress();
  const set = Object.entries(filter);
  return (
    <>
      {set.map(([name, value]) => (
        <button
          type="button"
          key={name}
          aria-pressed="true"
          aria-label={`Remove the filter ${names[name] ?? name}: ${value}`}
          onClick={() => change({ [name]: "" })}
        >
          {names[name]}: {shortId(value)} ×
        </button>
      ))}
      {set.length < 2 ? null : (
        <button
          type="button"
          class="quiet"
          onClick={() => change(Object.fromEntries(set.map(([name]) => [name, ""])))}
        >
          Clear all
        </button>
      )}
    </>
  );
}

/** The values of each filter among what is shown now, with how often they stand there. */
export function FilterPanel({ filter, range }: { readonly filter: Filter; readonly range: Range }) {
  const { change } = useAddress();
  const { since, until } = range;
  const path = withQuery(`${gatewayPath}/records/facets`, { since, until, ...filter });
  const { value, error } = useData<Data<Facets>>(path);
  const facets = value?.data;
  return (
    <section class="panel" aria-label="Filters" aria-busy={facets === undefined}>
      {error === null ? null : <p class="error">{error.message}</p>}
      <div class="facets">
        {Object.entries(counted).map(([name, label]) => {
          const values = facets?.[name] ?? [];
          if (values.length === 0) return null;
          return (
            <fieldset key={name}>
              <legend>{label}</legend>
              {values.map((one) => {
                const isChosen = filter[name] === one.value;
                return (
                  <button
                    type="button"
                    key={one.value}
                    class="quiet"
                    aria-pressed={isChosen}
                    onClick={() => change({ [name]: isChosen ? "" : one.value })}
                  >
                    <span title={one.value}>{shortId(one.value)}</span>{" "}
                    <small>{count(one.count)}</small>
                  </button>
                );
              })}
            </fieldset>
          );
        })}
        <fieldset class="written">
          <legend class="hidden">Others</legend>
          {Object.entries(written).map(([name, [label, example]]) => (
            <form
              key={name}
              class="field"
              onSubmit={(event) => {
                event.preventDefault();
                change({ [name]: fieldText(event.currentTarget, name) });
              }}
            >
              <label for={`filter-${name}`}>{label}</label>
              <input
                id={`filter-${name}`}
                name={name}
                placeholder={example}
                autocomplete="off"
                value={filter[name] ?? ""}
                onChange={(event) => change({ [name]: event.currentTarget.value.trim() })}
              />
            </form>
          ))}
        </fieldset>
      </div>
    </section>
  );
}
