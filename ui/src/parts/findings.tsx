import type { AuditEventRow } from "../../../src/contract/audit-api.ts";
import { count, notReported } from "../format.ts";
import { endOf, type RecordedRequest } from "../records.ts";
import { Mark } from "./basics.tsx";
import { VerdictMark } from "./record-table.tsx";

/** What the scan and the policy found, and what the policy did. */
export function Findings(props: {
  readonly record: RecordedRequest;
  readonly events: readonly AuditEventRow[];
}) {
  const { record } = props;
  const data = endOf(props.events);
  const texts = (name: string): string | null =>
    typeof data[name] === "string" ? data[name] : null;
  const policy = texts("policy_id");
  const version = data["policy_version"];
  const facts: readonly (readonly [string, string | null])[] = [
    ["Score", record.score === null ? null : record.score.toFixed(3)],
    ["Place of the text", texts("location")],
    ["Policy", policy === null ? null : `${policy}, version ${String(version)}`],
    ["Found in the request", counts(data["found_in_request"])],
    ["Found in the answer", counts(data["found_in_answer"])],
    ["Found by the scan", counts(data["findings"])],
  ];
  return (
    <section class="panel">
      <h2>Security</h2>
      <dl class="facts">
        <dt>Verdict</dt>
        <dd>{record.verdict === null ? notReported : <VerdictMark verdict={record.verdict} />}</dd>
        {policy === null ? null : (
          <>
            <dt>The policy</dt>
            <dd>
              <Action action={texts("policy_action")} isDryRun={data["dry_run"] === true} />
            </dd>
          </>
        )}
        {facts.map(([name, value]) =>
          value === null ? null : (
            <>
              <dt key={name}>{name}</dt>
              <dd>{value}</dd>
            </>
          ),
        )}
      </dl>
    </section>
  );
}

const done: Readonly<Record<string, string>> = {
  block: "blocked the request",
  redact: "redacted what it found",
  replace: "replaced a harmful result",
  flag: "noted what it found",
};

function Action({
  action,
  isDryRun,
}: {
  readonly action: string | null;
  readonly isDryRun: boolean;
}) {
  if (action === null) return <Mark kind="good">had nothing to do</Mark>;
  const words = done[action] ?? action;
  if (isDryRun) return <Mark kind="warn">a dry run: would have {words}</Mark>;
  return <Mark kind={action === "block" ? "bad" : "warn"}>{words}</Mark>;
}

/** `EMAIL 2, PHONE 1`; null: it was not looked. */
function counts(found: unknown): string | null {
  if (typeof found !== "object" || found === null) return null;
  const set = Object.entries(found).map(([name, times]) => `${name} ${count(Number(times))}`);
  return set.length === 0 ? "nothing" : set.join(", ");
}
