import { useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import type { AuditEventRow, AuditProof } from "../../../src/contract/audit-api.ts";
import { call, gatewayPath, request, withQuery } from "../api.ts";
import { asError, useData, type Data } from "../data.ts";
import { count, ms, notReported, usd } from "../format.ts";
import { Copy, CopyCurl, Head, Mark, Moment, State } from "../parts/basics.tsx";
import { StatusMark } from "../parts/record-table.tsx";
import { checkProof, type Checked } from "../proof.ts";
import type { RecordedRequest } from "../records.ts";

interface Lookup {
  readonly record: RecordedRequest | null;
  readonly events: readonly AuditEventRow[];
}

/** One request, explained. */
export function Message() {
  const { params } = useRoute();
  const id = params["id"] ?? "";
  const path = withQuery(`${gatewayPath}/records/lookup`, { request_id: id });
  const found = useData<Data<Lookup>>(path);
  const lookup = found.value?.data;
  const record = lookup?.record ?? null;
  return (
    <>
      <Head title="Message" about={<span class="id">{id}</span>}>
        <Copy text={id} label="Copy id" />
        <CopyCurl path={path} />
        <a href="/messages">All messages</a>
      </Head>
      <State loaded={found}>
        {record === null ? (
          <p class="state">No record has this id. Its events, if any, are below.</p>
        ) : (
          <Facts record={record} />
        )}
        {record === null ? null : (
          <div class="columns">
            <Waterfall record={record} />
            <Receipt record={record} events={lookup?.events ?? []} />
          </div>
        )}
        {record === null ? null : <Proof index={record.index} requestId={id} />}
        <Events events={lookup?.events ?? []} />
      </State>
    </>
  );
}

function Facts({ record }: { readonly record: RecordedRequest }) {
  const facts: readonly (readonly [string, string | number | null])[] = [
    ["Route", record.route],
    ["Model", record.model],
    ["Provider", record.provider],
    ["Account", record.account],
    ["Organization", record.org_id],
    ["Key", record.api_key_id],
    ["Team", record.team],
    [
      "Tags",
      record.tags === null
        ? null
        : Object.entries(record.tags)
            .map((tag) => tag.join(": "))
            .join(", "),
    ],
    ["Error", record.error_code],
    ["Provider's status", record.upstream_status],
    [
      "Verdict",
      record.verdict === null
        ? null
        : `${record.verdict}${record.score === null ? "" : `, score ${record.score.toFixed(3)}`}`,
    ],
    ["Cache", record.cache],
    ["Streamed", record.stream === null ? null : record.stream ? "yes" : "no"],
  ];
  return (
    <section class="panel">
      <dl class="facts">
        <dt>Time</dt>
        <dd>
          <Moment at={record.created_at} />
        </dd>
        <dt>Status</dt>
        <dd>
          <StatusMark record={record} />
        </dd>
        {facts.map(([name, value]) =>
          value === null || value === "" ? null : (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ),
        )}
      </dl>
    </section>
  );
}

/** The calls one after the other, then the first byte and the whole, as shares of the whole. */
function Waterfall({ record }: { readonly record: RecordedRequest }) {
  const total = record.latency_ms;
  const rows = [
    ...record.attempts.map(({ account, status, ms: took }, i) => ({
      name: `Attempt ${i + 1}: ${account ?? "named by the caller"}${status === null ? ", no answer" : `, ${status}`}`,
      took,
    })),
    { name: "First byte", took: record.first_byte_ms },
    { name: "Total", took: total },
  ];
  return (
    <section class="panel">
      <h2>Time</h2>
      <div class="fall">
        {rows.map(({ name, took }) => (
          <>
            <span>{name}</span>
            {took === null || total === null ? (
              <span />
            ) : (
              <progress
                max={Math.max(total, 0.001)}
                value={took}
                aria-label={`${name}: ${ms(took)}`}
              />
            )}
            <span class={took === null ? "none" : "number"}>{ms(took)}</span>
          </>
        ))}
      </div>
    </section>
  );
}

const bucketNames = {
  input: "Input",
  cache_read: "Read from a cache",
  cache_write: "Written to a cache",
  output: "Output",
  reasoning: "Reasoning",
} as const;

function Receipt({
  record,
  events,
}: {
  readonly record: RecordedRequest;
  readonly events: readonly AuditEventRow[];
}) {
  const money = events.filter(({ event_type: type }) => type.startsWith("payg."));
  const buckets = Object.entries(bucketNames) as [keyof typeof bucketNames, string][];
  return (
    <section class="panel">
      <h2>Receipt</h2>
      <dl class="facts">
        {record.tokens === null ? (
          <>
            <dt>Tokens</dt>
            <dd>
              {record.billable_tokens === null
                ? notReported
                : `${count(record.billable_tokens)} billable`}
            </dd>
          </>
        ) : (
          buckets.map(([bucket, name]) => (
            <>
              <dt>{name}</dt>
              <dd>{count(record.tokens?.[bucket] ?? null)}</dd>
            </>
          ))
        )}
        <dt>Cost</dt>
        <dd>
          <strong>{usd(record.cost_usd)}</strong>{" "}
          {record.cost_status === null ? "" : `(${record.cost_status})`}
        </dd>
        {money.map(({ index, event_type: type, data }) => (
          <>
            <dt key={index}>{type}</dt>
            <dd>{moneyOf(data)}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function moneyOf(data: Readonly<Record<string, unknown>>): string {
  return Object.entries(data)
    .filter(([name, value]) => /usd/i.test(name) && typeof value === "string")
    .map(([name, value]) => `${wordsOf(name)} ${usd(String(value))}`)
    .join(" · ");
}

/** `balanceAfterUsd` → `balance after`. */
function wordsOf(name: string): string {
  return name
    .replace(/_?usd$/i, "")
    .replace(/([A-Z])/g, " $1")
    .replaceAll("_", " ")
    .toLowerCase();
}

/** Saves an answer as a file. A link alone could not: the session is in a header. */
async function save(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await request(path)).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function Proof(props: { readonly index: number; readonly requestId: string }) {
  const { index, requestId } = props;
  const bundle = withQuery("/v1/audit/export.jsonl", { request_id: requestId });
  const download = () =>
    save(bundle, `${requestId}.jsonl`).catch((error: unknown) =>
      setChecked({ holds: false, why: asError(error).message }),
    );
  const [checked, setChecked] = useState<Checked | null>(null);
  const path = `/v1/audit/events/${index}/proof`;
  const check = async () => {
    try {
      const [proof, key] = await Promise.all([
        call<AuditProof>(path),
        request("/v1/audit/key").then((response) => response.text()),
      ]);
      setChecked(await checkProof(proof, key));
    } catch (error) {
      setChecked({ holds: false, why: asError(error).message });
    }
  };
  return (
    <section class="panel">
      <h2>Proof</h2>
      <p class="none">
        This browser checks that the audit log holds this record, unchanged, under a signed
        checkpoint.
      </p>
      <p class="actions">
        <button type="button" onClick={() => void check()}>
          Check the proof
        </button>
        <button type="button" onClick={() => void download()}>
          File for npm run verify
        </button>
        <CopyCurl path={path} />
        <span aria-live="polite">
          {checked === null ? null : (
            <Mark kind={checked.holds ? "good" : "bad"}>{checked.why}</Mark>
          )}
        </span>
      </p>
    </section>
  );
}

function Events({ events }: { readonly events: readonly AuditEventRow[] }) {
  return (
    <section class="panel">
      <h2>Events</h2>
      {events.map((event) => (
        <details key={event.index}>
          <summary>
            <Moment at={event.created_at} /> · {event.event_type} · {event.index}
          </summary>
          <pre tabIndex={0}>{JSON.stringify(event.data, null, 2)}</pre>
        </details>
      ))}
      {events.length === 0 ? <p class="none">None.</p> : null}
    </section>
  );
}
