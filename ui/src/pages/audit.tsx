import { useEffect, useState } from "preact/hooks";
import type { AuditConsistency, AuditEventRow } from "../../../src/contract/audit-api.ts";
import { call, request, withQuery } from "../api.ts";
import { asError, useData, type Page } from "../data.ts";
import { CopyCurl, Head, Mark, Moment, More, State, Table } from "../parts/basics.tsx";
import { useAddress } from "../parts/range.ts";
import { checkCheckpoint, type Checked } from "../proof.ts";

/** Events of the audit log, newest first. */
export function Audit() {
  const { query, change } = useAddress();
  const path = withQuery("/v1/audit/events", { event_type: query["event_type"], limit: 50 });
  const first = useData<Page<AuditEventRow>>(path);
  const [more, setMore] = useState<Page<AuditEventRow> | null>(null);
  useEffect(() => setMore(null), [path]);
  const cursor = more === null ? (first.value?.nextCursor ?? null) : more.nextCursor;
  const next = async () => {
    const page = await call<Page<AuditEventRow>>(
      `${path}&cursor=${encodeURIComponent(cursor ?? "")}`,
    );
    setMore({ data: [...(more?.data ?? []), ...page.data], nextCursor: page.nextCursor });
  };
  return (
    <>
      <Head
        title="Audit log"
        about="What happened, for good. Nothing readable of a request is in it."
      >
        <CopyCurl path={path} />
      </Head>
      <Checkpoint />
      <div class="filters">
        <input
          aria-label="Kind of event"
          placeholder="Kind, such as key.created"
          value={query["event_type"] ?? ""}
          onChange={(event) => change({ event_type: event.currentTarget.value.trim() })}
        />
      </div>
      <State loaded={first}>
        <Table
          label="Events"
          rows={[...(first.value?.data ?? []), ...(more?.data ?? [])]}
          keyOf={({ index }) => String(index)}
          columns={[
            { name: "Index", cell: ({ index }) => index, isNumber: true },
            { name: "Time", cell: (row) => <Moment at={row.created_at} /> },
            { name: "Kind", cell: (row) => row.event_type },
            {
              name: "Request",
              cell: ({ request_id: id }) =>
                id === null ? (
                  <span class="none">–</span>
                ) : (
                  <a class="id" href={`/messages/${encodeURIComponent(id)}`}>
                    {id}
                  </a>
                ),
            },
            { name: "What", cell: (row) => row.message },
          ]}
        />
        {cursor === null ? null : <More onClick={() => void next()} />}
      </State>
    </>
  );
}

const checkpointPath = "/v1/audit/checkpoint";

/** The log's signed checkpoint, checked in this browser against its pinned key and what it has seen before. */
function Checkpoint() {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isLeft = false;
    setChecked(null);
    check().then(
      (found) => isLeft || setChecked(found),
      (failure: unknown) => isLeft || setChecked({ holds: false, why: asError(failure).message }),
    );
    return () => {
      isLeft = true;
    };
  }, [round]);
  return (
    <section class="panel" aria-label="Checkpoint">
      <p class="actions">
        <span aria-live="polite">
          {checked === null ? (
            "Checking the log's signature…"
          ) : (
            <Mark kind={checked.holds ? "good" : "bad"}>{checked.why}</Mark>
          )}
        </span>
        <span class="grow" />
        <button type="button" onClick={() => setRound(round + 1)}>
          Check again
        </button>
        <CopyCurl path={checkpointPath} />
      </p>
    </section>
  );
}

async function check(): Promise<Checked> {
  const textOf = async (path: string) => (await request(path)).text();
  const [note, key] = await Promise.all([textOf(checkpointPath), textOf("/v1/audit/key")]);
  return checkCheckpoint(note, key, async (first, second) => {
    const path = withQuery("/v1/audit/consistency", { first, second });
    return (await call<AuditConsistency>(path)).hashes;
  });
}
