import { useEffect, useState } from "preact/hooks";
import type { DownloadTicket, Export } from "../../../src/contract/records-api.ts";
import { call, gatewayPath } from "../api.ts";
import { asError, useData, type Data, type Page } from "../data.ts";
import { count } from "../format.ts";
import { CopyCurl, Empty, Head, Mark, Moment, State, Table } from "../parts/basics.tsx";
import { CurlLine } from "../parts/try-it.tsx";

const path = `${gatewayPath}/exports`;
const pollMs = 1000;

/** Exports of records: how far they are, and their files. */
export function Exports() {
  const list = useData<Page<Export>>(path);
  const [error, setError] = useState<string | null>(null);
  const rows = list.value?.data ?? [];
  const isWorking = rows.some(({ status }) => status === "queued" || status === "running");
  const { reload } = list;
  useEffect(() => {
    if (!isWorking) return undefined;
    const timer = setInterval(reload, pollMs);
    return () => clearInterval(timer);
  }, [isWorking, reload]);
  const act = (act: () => Promise<void>) => {
    setError(null);
    act().then(reload, (failure: unknown) => setError(asError(failure).message));
  };
  return (
    <>
      <Head title="Exports" about="Records as CSV. A file is kept for 24 hours.">
        <a href="/messages">Choose messages</a>
        <CopyCurl path={path} />
      </Head>
      {error === null ? null : (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <State loaded={list}>
        {rows.length === 0 ? (
          <Empty>
            <p>There is no export. Start one from the messages, or with a key:</p>
            <CurlLine
              path={path}
              options={{ method: "POST", body: { format: "csv", filter: { status: "failed" } } }}
            />
          </Empty>
        ) : (
          <Table
            label="Exports"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { name: "Asked for", cell: ({ createdAt }) => <Moment at={createdAt} /> },
              { name: "Export", cell: ({ id }) => <span class="id">{id.slice(0, 8)}</span> },
              { name: "Status", cell: (one) => <StatusOf one={one} /> },
              { name: "Records", cell: (one) => <Progress one={one} /> },
              { name: "Kept until", cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
              { name: "", cell: (one) => <Actions one={one} act={act} /> },
            ]}
          />
        )}
      </State>
    </>
  );
}

function StatusOf({ one: { status } }: { readonly one: Export }) {
  const kind = status === "completed" ? "good" : status === "failed" ? "bad" : "plain";
  return <Mark kind={kind}>{status}</Mark>;
}

function Progress({ one: { status, rowsDone, rowsTotal } }: { readonly one: Export }) {
  const said = rowsTotal === null ? count(rowsDone) : `${count(rowsDone)} of ${count(rowsTotal)}`;
  if (status !== "running") return <>{status === "completed" ? count(rowsDone) : said}</>;
  return (
    <>
      <progress max={Math.max(1, rowsTotal ?? 1)} value={rowsDone} aria-label={said} /> {said}
    </>
  );
}

function Actions(props: {
  readonly one: Export;
  readonly act: (act: () => Promise<void>) => void;
}) {
  const { id, status } = props.one;
  const isOpen = status === "queued" || status === "running";
  const remove = () => call<null>(`${path}/${id}`, { method: "DELETE" }).then(() => undefined);
  const short = id.slice(0, 8);
  return (
    <>
      {status === "completed" ? (
        <button
          type="button"
          class="quiet"
          aria-label={`Download ${short}`}
          onClick={() => props.act(() => download(id))}
        >
          Download
        </button>
      ) : null}
      <button
        type="button"
        class="quiet bad"
        aria-label={`${isOpen ? "Cancel" : "Remove"} ${short}`}
        onClick={() => props.act(remove)}
      >
        {isOpen ? "Cancel" : "Remove"}
      </button>
    </>
  );
}

/** A link has no header for the session, and a file may be too large for the page: a ticket stands in for both. */
async function download(id: string): Promise<void> {
  const asked = `${path}/${id}/tickets`;
  const { data } = await call<Data<DownloadTicket>>(asked, { method: "POST" });
  const link = document.createElement("a");
  link.href = `${path}/${id}/file?ticket=${data.ticket}`;
  link.download = `records-${id}.csv`;
  link.click();
}
