import { useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import type { AuditEventRow, AuditProof } from "../../../src/contract/audit-api.ts";
import { call, gatewayPath, request, withQuery } from "../api.ts";
import { asError, useData, type Data } from "../data.ts";
import { notReported } from "../format.ts";
import { Copy, CopyCurl, Head, Mark, Moment, State } from "../parts/basics.tsx";
import { Content } from "../parts/content.tsx";
import { Findings } from "../parts/findings.tsx";
import { Receipt } from "../parts/receipt.tsx";
import { StatusMark } from "../parts/record-table.tsx";
import { Waterfall } from "../parts/waterfall.tsx";
import { checkProof, type Checked } from "../proof.ts";
import { endOf, type RecordedRequest } from "../records.ts";

interface Lookup {
  readonly record: RecordedRequest | null;
  readonly response?: UnownedResponse;
  readonly events: readonly AuditEventRow[];
}

/** A response that belongs to no organization. */
interface UnownedResponse {
  readonly created_at: string;
  readonly route: string | null;
  readonly http_status: number;
  readonly error_code: string | null;
  readonly address: string | null;
}

/** One request, explained. */
export function Message() {
  const { params } = useRoute();
  const id = params["id"] ?? "";
  const path = withQuery(`${gatewayPath}/records/lookup`, { request_id: id });
  const found = useData<Data<Lookup>>(path);
  const lookup = found.value?.data;
  const record = lookup?.record ?? null;
  const events = lookup?.events ?? [];
  return (
    <>
      <Head title="Message" about={<span class="id">{id}</span>}>
        <Copy text={id} label="Copy id" />
        <CopyCurl path={path} />
        <a href="/messages">All messages</a>
      </Head>
      <State loaded={found}>
        {record === null ? (
          <Unowned response={lookup?.response} />
        ) : (
          <>
            <Facts record={record} events={events} />
            <div class="columns">
              <Waterfall record={record} events={events} />
              <Receipt record={record} events={events} />
            </div>
            <Findings record={record} events={events} />
            <Content requestId={id} />
            <Proof index={record.index} requestId={id} />
          </>
        )}
        <Events events={events} />
      </State>
    </>
  );
}

function Unowned({ response }: { readonly response: UnownedResponse | undefined }) {
  if (response === undefined) {
    return <p class="state">No record has this id. Its events, if any, are below.</p>;
  }
  return (
    <section class="panel">
      <h2>A response without an organization</h2>
      <dl class="facts">
        <dt>Time</dt>
        <dd>
          <Moment at={response.created_at} />
        </dd>
        <dt>Status</dt>
        <dd>{response.http_status}</dd>
        <dt>Error</dt>
        <dd>{response.error_code ?? "none"}</dd>
        <dt>Route</dt>
        <dd>{response.route ?? "refused before it had one"}</dd>
        <dt>Client&apos;s address</dt>
        <dd>{response.address ?? notReported}</dd>
      </dl>
    </section>
  );
}

function Facts(props: {
  readonly record: RecordedRequest;
  readonly events: readonly AuditEventRow[];
}) {
  const { record } = props;
  const served = endOf(props.events)["served_model"];
  const facts: readonly (readonly [string, string | number | null])[] = [
    ["Route", record.route],
    ["Model", record.model],
    // Of our own event, which has it only if it is another one.
    ["Served by the model", typeof served === "string" ? served : null],
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
      <dl class="facts wide">
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
