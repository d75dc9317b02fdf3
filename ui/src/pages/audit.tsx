import { useEffect, useState } from "preact/hooks";
import type { AuditEventRow } from "../../../src/contract/audit-api.ts";
import { call, withQuery } from "../api.ts";
import { useData, type Page } from "../data.ts";
import { CopyCurl, Head, Moment, More, State, Table } from "../parts/basics.tsx";
import { useAddress } from "../parts/range.ts";

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
