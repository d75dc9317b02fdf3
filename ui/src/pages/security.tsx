import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data, type Page } from "../data.ts";
import { count, ms } from "../format.ts";
import { CopyCurl, Head, State, Table } from "../parts/basics.tsx";
import { RangeChoice } from "../parts/range-choice.tsx";
import { useRange } from "../parts/range.ts";
import { RecordTable } from "../parts/record-table.tsx";
import { TryIt } from "../parts/try-it.tsx";
import type { BreakdownRow, RecordedRequest } from "../records.ts";

/** Security scans by route and verdict. They are no model requests, and stand in no model breakdown. */
export function Security() {
  const { since } = useRange();
  const by = (group_by: string) =>
    withQuery(`${gatewayPath}/usage/breakdown`, { group_by, since, type: "scan" });
  const routes = useData<Data<readonly BreakdownRow[]>>(by("route"));
  const verdicts = useData<Data<readonly BreakdownRow[]>>(by("verdict"));
  const path = withQuery(`${gatewayPath}/records`, { since, type: "scan", limit: 50 });
  const scans = useData<Page<RecordedRequest>>(path);
  return (
    <>
      <Head
        title="Security scans"
        about="By route: rest, batch, mcp. Scans advise; they stop nothing."
      >
        <RangeChoice />
        <CopyCurl path={path} />
      </Head>
      <div class="columns">
        <Groups title="Route" loaded={routes} />
        <Groups title="Verdict" loaded={verdicts} />
      </div>
      <State loaded={scans}>
        {scans.value?.data.length === 0 ? (
          <TryIt what="scan" />
        ) : (
          <RecordTable label="Scans" rows={scans.value?.data ?? []} />
        )}
      </State>
    </>
  );
}

function Groups({
  title,
  loaded,
}: {
  readonly title: string;
  readonly loaded: ReturnType<typeof useData<Data<readonly BreakdownRow[]>>>;
}) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      <State loaded={loaded}>
        <Table
          label={`Scans by ${title.toLowerCase()}`}
          rows={loaded.value?.data ?? []}
          keyOf={({ key }) => key ?? ""}
          columns={[
            { name: title, cell: ({ key }) => key ?? <span class="none">none</span> },
            { name: "Scans", cell: (row) => count(row.requests), isNumber: true },
            { name: "Failed", cell: (row) => count(row.errors), isNumber: true },
            { name: "p95", cell: (row) => ms(row.latency_ms.p95), isNumber: true },
          ]}
        />
      </State>
    </section>
  );
}
