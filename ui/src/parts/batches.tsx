import { useEffect } from "preact/hooks";
import type { ListedBatch } from "../../../src/contract/batch.ts";
import { gatewayPath } from "../api.ts";
import { count } from "../format.ts";
import { CopyCurl, Id, Mark, Moment, More, State, Table } from "./basics.tsx";
import { useList } from "./list.ts";

const path = `${gatewayPath}/batches?limit=20`;
const pollMs = 2_000;

/** Jobs of batch scans, newest first, with how far they are; nothing if there is none. */
export function Batches() {
  const jobs = useList<ListedBatch>(path);
  const { reload, rows } = jobs;
  const isWorking = rows.some(({ completed_at: end }) => end === null);
  useEffect(() => {
    if (!isWorking) return undefined;
    const timer = setInterval(reload, pollMs);
    return () => clearInterval(timer);
  }, [isWorking, reload]);
  if (jobs.error === null && rows.length === 0) return null;
  return (
    <section class="panel">
      <div class="legend">
        <h2>Batch jobs</h2>
        <CopyCurl path={path} />
      </div>
      <State loaded={jobs}>
        <Table
          label="Batch jobs"
          rows={rows}
          keyOf={({ job_id: id }) => id}
          columns={[
            { name: "Submitted", cell: (job) => <Moment at={job.created_at} /> },
            { name: "Job", cell: (job) => <Id id={job.job_id} /> },
            { name: "Organization", cell: (job) => <Id id={job.org_id} /> },
            { name: "Key", cell: (job) => <Id id={job.api_key_id} /> },
            { name: "Status", cell: (job) => <Mark kind={kindOf(job)}>{job.status}</Mark> },
            { name: "Done", cell: (job) => <Done job={job} />, isNumber: true },
            { name: "Failed", cell: ({ counts }) => count(counts.failed), isNumber: true },
            {
              name: "Ended",
              cell: ({ completed_at: end }) =>
                end === null ? <span class="none">not yet</span> : <Moment at={end} />,
            },
          ]}
        />
        {jobs.more === null ? null : <More onClick={jobs.more} />}
      </State>
    </section>
  );
}

function kindOf({ completed_at: end, counts }: ListedBatch): "good" | "warn" | "plain" {
  if (end === null) return "plain";
  return counts.failed > 0 ? "warn" : "good";
}

function Done({ job }: { readonly job: ListedBatch }) {
  const { counts, item_count: all, completed_at: end } = job;
  const done = counts.completed + counts.failed;
  const said = `${count(done)} of ${count(all)}`;
  if (end !== null) return <>{said}</>;
  return (
    <>
      <progress max={all} value={done} aria-label={said} /> {said}
    </>
  );
}
