import type { AuditEventRow } from "../../../src/contract/audit-api.ts";
import { ms } from "../format.ts";
import { endOf, type RecordedRequest } from "../records.ts";

/** A part of a request's time, in milliseconds since it came; null: not reported. */
interface Span {
  readonly name: string;
  readonly from: number | null;
  readonly took: number | null;
  readonly kind?: "bad";
}

/** Where a request's time went: each part as a bar, where it began. */
export function Waterfall(props: {
  readonly record: RecordedRequest;
  readonly events: readonly AuditEventRow[];
}) {
  const spans = spansOf(props.record, endOf(props.events));
  const total = Math.max(props.record.latency_ms ?? 0, 0.001);
  return (
    <section class="panel">
      <h2>Time</h2>
      <table class="fall">
        <thead class="hidden">
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Where it lies</th>
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {spans.map(({ name, from, took, kind }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {from === null || took === null ? null : (
                  <svg
                    viewBox={`0 0 ${total} 1`}
                    preserveAspectRatio="none"
                    role="img"
                    aria-label={`from ${ms(from)}`}
                  >
                    <rect
                      class={kind ?? "good"}
                      x={Math.min(from, total)}
                      width={Math.max(took, total / 300)}
                      height="1"
                    />
                  </svg>
                )}
              </td>
              <td class={took === null ? "none number" : "number"}>{ms(took)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function spansOf(
  record: RecordedRequest,
  data: Readonly<Record<string, unknown>>,
): readonly Span[] {
  // Of our own event; older ones lack members.
  const known = (data["latencies_ms"] ?? {}) as Readonly<Record<string, number | null>>;
  const of = (name: string): number | null => known[name] ?? null;
  let at: number | null = 0;
  const next = (name: string, took: number | null, kind?: "bad"): Span => {
    const span: Span = { name, from: at, took, ...(kind === undefined ? {} : { kind }) };
    if (at !== null) at += took ?? 0;
    return span;
  };
  const parts = [
    next("Body", of("body")),
    next("Queue for the scan", of("queue")),
    next("Scan", of("scan")),
    next("Hold", of("hold")),
  ];
  const attempts = record.attempts.map(({ account, status, ms: took }, i) => {
    const who = account ?? "named by the caller";
    const name = `Attempt ${i + 1}: ${who}, ${status ?? "no answer"}`;
    return next(name, took, status === null || status >= 400 ? "bad" : undefined);
  });
  const { first_byte_ms: first, latency_ms: total } = record;
  return [
    ...parts,
    ...attempts,
    { name: "Until the first byte", from: 0, took: first },
    { name: "Total", from: 0, took: total },
  ];
}
