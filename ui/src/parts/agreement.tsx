import { useState } from "preact/hooks";
import type { AuditEventRow } from "../../../src/contract/audit-api.ts";
import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data, type Page } from "../data.ts";
import { usd } from "../format.ts";
import { microUsd, sumUsd, type BreakdownRow } from "../records.ts";
import { Mark, State, Table } from "./basics.tsx";

interface Month {
  readonly month: string;
  readonly debitsUsd: string;
}

/** Whether the debits of a month are the costs of its records; if not, which requests make the difference. */
export function Agreement(props: { readonly orgId: string; readonly months: readonly Month[] }) {
  const { orgId, months } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const month = months.find((one) => one.month === chosen) ?? months[0];
  if (month === undefined) return null;
  return (
    <section class="panel">
      <div class="legend">
        <h2>Debits and records</h2>
        <select
          aria-label="Month"
          value={month.month}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {months.map((one) => (
            <option key={one.month}>{one.month}</option>
          ))}
        </select>
      </div>
      <Compared key={month.month} orgId={orgId} month={month} />
    </section>
  );
}

function Compared({ orgId, month }: { readonly orgId: string; readonly month: Month }) {
  const since = `${month.month}-01T00:00:00.000Z`;
  const end = new Date(since);
  end.setUTCMonth(end.getUTCMonth() + 1);
  const range = { orgId, since, until: end.toISOString() };
  const costs = (type: string) =>
    withQuery(`${gatewayPath}/usage/breakdown`, { ...range, group_by: "org", type });
  const requests = useData<Data<readonly BreakdownRow[]>>(costs("request"));
  const scans = useData<Data<readonly BreakdownRow[]>>(costs("scan"));
  const sum = (rows: readonly BreakdownRow[] | undefined): string =>
    sumUsd((rows ?? []).map((row) => row.cost_usd));
  const [ofRequests, ofScans] = [sum(requests.value?.data), sum(scans.value?.data)];
  const records = sumUsd([ofRequests, ofScans]);
  const difference = sumUsd([month.debitsUsd, `-${records}`]);
  const isKnown = requests.value !== null && scans.value !== null;
  return (
    <State loaded={requests.error === null ? scans : requests}>
      <dl class="facts">
        <dt>Debits</dt>
        <dd>{usd(month.debitsUsd)}</dd>
        <dt>Costs of requests</dt>
        <dd>{usd(ofRequests)}</dd>
        <dt>Costs of scans</dt>
        <dd>{usd(ofScans)}</dd>
        <dt>Difference</dt>
        <dd>
          {!isKnown ? (
            "…"
          ) : microUsd(difference) === 0n ? (
            <Mark kind="good">None: every debit is the cost of a record.</Mark>
          ) : (
            <Mark kind="warn">{usd(difference)}</Mark>
          )}
        </dd>
      </dl>
      {isKnown && microUsd(difference) !== 0n ? <Reasons range={range} /> : null}
    </State>
  );
}

const reasons = {
  "payg.debit.insufficient_balance": "served, but not covered by the balance: owed",
  "payg.debit.recovered": "debited later, for an earlier request",
} as const;
type Reason = keyof typeof reasons;

/** The requests that can make a difference, by name. */
function Reasons({ range }: { readonly range: Readonly<Record<string, string>> }) {
  const path = (event_type: Reason) =>
    withQuery("/v1/audit/events", { ...range, event_type, limit: 50 });
  const owed = useData<Page<AuditEventRow>>(path("payg.debit.insufficient_balance"));
  const later = useData<Page<AuditEventRow>>(path("payg.debit.recovered"));
  const rows = [...(owed.value?.data ?? []), ...(later.value?.data ?? [])];
  return (
    <>
      <p class="none">
        {rows.length === 0
          ? "No request was owed or debited later in this month. A request near its end may be recorded in one month and debited in the other."
          : "At most the latest 50 of each kind:"}
      </p>
      {rows.length === 0 ? null : (
        <Table
          label="Requests that make the difference"
          rows={rows}
          keyOf={({ index }) => String(index)}
          columns={[
            {
              name: "Request",
              cell: ({ request_id: id }) => (
                <a class="id" href={`/messages/${encodeURIComponent(id ?? "")}`}>
                  {id}
                </a>
              ),
            },
            {
              name: "Why",
              cell: ({ event_type: type }) =>
                Object.entries(reasons).find(([name]) => name === type)?.[1] ?? type,
            },
            {
              name: "Cost",
              cell: ({ data }) =>
                typeof data["costUsd"] === "string" ? usd(data["costUsd"]) : "not reported",
              isNumber: true,
            },
          ]}
        />
      )}
    </>
  );
}
