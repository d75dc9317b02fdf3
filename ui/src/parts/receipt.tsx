import type { AuditEventRow } from "../../../src/contract/audit-api.ts";
import type { RecordReceipt } from "../../../src/contract/records-api.ts";
import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data } from "../data.ts";
import { count, notReported, usd } from "../format.ts";
import type { RecordedRequest } from "../records.ts";
import { Mark } from "./basics.tsx";

const units: Readonly<Record<RecordReceipt["lines"][number]["unit"], string>> = {
  uncachedInput: "Input",
  cacheRead: "Input read from a cache",
  cacheWrite5m: "Input written to a cache, 5 min",
  cacheWrite1h: "Input written to a cache, 1 h",
  audioInput: "Audio in",
  imageInput: "Images in",
  outputText: "Output",
  reasoning: "Reasoning",
  audioOutput: "Audio out",
  imageOutput: "Images out",
  toolCalls: "Tool calls",
  request: "The request",
  injectionScan: "Scan for prompt injection",
  entityScan: "Scan for entities and patterns",
};

/** Tokens × rate = cost, then hold → debit → balance. */
export function Receipt(props: {
  readonly record: RecordedRequest;
  readonly events: readonly AuditEventRow[];
}) {
  const { record, events } = props;
  const path = withQuery(`${gatewayPath}/records/receipt`, { request_id: record.request_id });
  const { value } = useData<Data<RecordReceipt>>(record.request_id === null ? null : path);
  const receipt = value?.data;
  return (
    <section class="panel" aria-busy={receipt === undefined}>
      <h2>Receipt</h2>
      {receipt === undefined || receipt.lines.length === 0 ? (
        <p class="none">
          {record.tokens === null ? "Usage: not reported." : "No price of this model is known."}
        </p>
      ) : (
        <Lines receipt={receipt} />
      )}
      <dl class="facts">
        <dt>Cost</dt>
        <dd>
          <strong>{usd(record.cost_usd)}</strong>{" "}
          {record.cost_status === null ? "" : `(${record.cost_status.replaceAll("_", " ")})`}
        </dd>
        <Money events={events} />
      </dl>
    </section>
  );
}

function Lines({ receipt }: { readonly receipt: RecordReceipt }) {
  const { lines, service_tier: tier, total_usd: total, matches } = receipt;
  return (
    <>
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">Tier: {tier ?? "standard"}</th>
            <th scope="col" class="number">
              Units
            </th>
            <th scope="col" class="number">
              $ a million
            </th>
            <th scope="col" class="number">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ unit, units: counted, usd_per_million: rate, amount_usd: amount }) => (
            <tr key={`${unit} ${rate}`}>
              <th scope="row">{units[unit]}</th>
              <td class="number">{count(counted)}</td>
              <td class="number">{rate}</td>
              <td class="number">{usd(amount)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Rounded once</th>
            <td />
            <td />
            <td class="number">{usd(total)}</td>
          </tr>
        </tbody>
      </table>
      <p>
        {matches === true ? (
          <Mark kind="good">Units × rates are the recorded cost.</Mark>
        ) : (
          <Mark kind="warn">
            {receipt.cost_status === "upstream_reported_cost"
              ? "The provider has named the cost itself."
              : "Not the recorded cost: the prices have changed since."}
          </Mark>
        )}
      </p>
    </>
  );
}

/** Events of the ledger: name, the member with the amount, and what came of it. */
const steps = [
  ["payg.hold.placed", "Hold", "amountUsd", "availableUsd", "available then"],
  ["payg.hold.released", "Hold given back", "amountUsd", null, ""],
  ["payg.hold.expired", "Hold ended", "amountUsd", null, ""],
  ["payg.debit.applied", "Debit", "costUsd", "balanceAfterUsd", "balance after"],
  ["payg.debit.insufficient_balance", "Debit skipped, owed", "costUsd", null, ""],
  ["payg.debit.recovered", "Debit recovered", "costUsd", "balanceAfterUsd", "balance after"],
] as const;

/** What the ledger did, in its order. */
function Money({ events }: { readonly events: readonly AuditEventRow[] }) {
  const found = events.flatMap(({ event_type: type, data, index }) => {
    const step = steps.find(([name]) => name === type);
    return step === undefined ? [] : [{ step, data, index }];
  });
  if (found.length === 0) {
    return (
      <>
        <dt>Balance</dt>
        <dd class="none">Nothing was held or debited.</dd>
      </>
    );
  }
  return (
    <>
      {found.map(({ step: [, name, amount, balance, words], data, index }) => (
        <>
          <dt key={index}>{name}</dt>
          <dd>
            {amountIn(data, amount)}
            {balance === null ? "" : ` → ${amountIn(data, balance)} ${words}`}
          </dd>
        </>
      ))}
    </>
  );
}

function amountIn(data: Readonly<Record<string, unknown>>, name: string): string {
  const value = data[name];
  return typeof value === "string" ? usd(value) : notReported;
}
