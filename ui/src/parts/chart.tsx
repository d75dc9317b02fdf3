import { day, time } from "../format.ts";
import type { Range } from "./range.ts";

/** One step of time: a number for each name of the chart; null: nothing was reported. */
export interface Step {
  readonly start: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  /** What the numbers of a step are; colors go by place. */
  readonly names: readonly string[];
  readonly steps: readonly Step[];
  readonly show: (value: number) => string;
  readonly range: Range;
  /** `bars` are stacked. */
  readonly kind?: "bars" | "lines";
  /** The address of a step's page. */
  readonly linkOf?: (start: string, end: string) => string;
}

const height = 100;
const width = 600;

/** Numbers over time; the same numbers stand in a table below. */
export function Chart(props: ChartProps) {
  const { title, names, steps, show, range } = props;
  const top = highest(props);
  return (
    <section class="panel">
      <div class="legend">
        <h2>{title}</h2>
        {names.length === 1
          ? null
          : names.map((name, i) => (
              <span key={name} class={`series${i}`}>
                {name}
              </span>
            ))}
      </div>
      {steps.length === 0 ? (
        <p class="none">Nothing in this range.</p>
      ) : (
        <>
          <svg
            class="chart"
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title}, highest ${show(top)}`}
          >
            {props.kind === "lines" ? (
              <Lines {...props} top={top} />
            ) : (
              <Bars {...props} top={top} />
            )}
          </svg>
          <div class="axis">
            <span>{time(range.since)}</span>
            <span>highest {show(top)}</span>
            <span>{range.until === null ? "now" : time(range.until)}</span>
          </div>
          <Numbers {...props} />
        </>
      )}
    </section>
  );
}

type Drawn = ChartProps & { readonly top: number };

function Bars({ title, names, steps, show, range, top }: Drawn) {
  const place = placing(range);
  const barWidth = Math.max(1.5, place.lengthOf(range.stepMs) - 1);
  return (
    <>
      {steps.map(({ start, values }) => {
        let y = height;
        const said = values.map((value, i) => `${names[i] ?? title} ${shown(value, show)}`);
        return values.map((value, i) => {
          const bar = top === 0 || value === null ? 0 : (value / top) * height;
          y -= bar;
          if (bar === 0) return null;
          return (
            <rect
              key={`${start}${i}`}
              class={`series${i}`}
              x={Math.max(0, place.of(start))}
              y={y}
              width={barWidth}
              height={bar}
            >
              <title>{`${time(start)}: ${said.join(", ")}`}</title>
            </rect>
          );
        });
      })}
    </>
  );
}

/** A line for each name. It breaks where a step has nothing; a lonely step is a dot. */
function Lines({ names, steps, range, top }: Drawn) {
  const place = placing(range);
  return (
    <>
      {names.map((name, i) => {
        let path = "";
        let lastMs = -Infinity;
        for (const { start, values } of steps) {
          const value = values[i] ?? null;
          if (value === null) continue;
          const ms = Date.parse(start);
          const x = Math.max(0, place.of(start) + place.lengthOf(range.stepMs) / 2).toFixed(1);
          const y = (height - (top === 0 ? 0 : (value / top) * (height - 4)) - 2).toFixed(1);
          // An hour more: the day on which summer time ends is longer.
          const isNext = ms - lastMs <= range.stepMs + 3_600_000;
          path += isNext ? `L${x} ${y}` : `M${x} ${y}h2`;
          lastMs = ms;
        }
        return <path key={name} class={`line series${i}`} d={path} />;
      })}
    </>
  );
}

function placing({ since, until }: Range) {
  const fromMs = Date.parse(since);
  const untilMs = until === null ? Date.now() : Date.parse(until);
  const lengthOf = (ms: number): number => (ms / (untilMs - fromMs)) * width;
  return { lengthOf, of: (start: string): number => lengthOf(Date.parse(start) - fromMs) };
}

function highest({ steps, kind }: ChartProps): number {
  const tops = steps.map(({ values }) => {
    const known = values.map((value) => value ?? 0);
    return kind === "lines" ? Math.max(...known) : known.reduce((sum, one) => sum + one, 0);
  });
  return Math.max(...tops, 0);
}

/** The end of a step. Where clocks are changed a day is longer or shorter, by an hour or by half of one. */
function endOfStep(start: string, { step, stepMs }: Range): string {
  const after = (ms: number) => new Date(Date.parse(start) + ms).toISOString();
  if (step !== "1d") return after(stepMs);
  const hourMs = 3_600_000;
  const lengths = [-1, -0.5, 0, 0.5].map((hours) => stepMs + hours * hourMs);
  const found = lengths.map(after).find((end) => day(end) !== day(start));
  return found ?? after(stepMs + hourMs);
}

function shown(value: number | null, show: (value: number) => string): string {
  return value === null ? "–" : show(value);
}

function Numbers({ title, names, steps, show, range, linkOf }: ChartProps) {
  return (
    <details>
      <summary>As a table</summary>
      <div class="scroll numbers" tabIndex={0} role="region" aria-label={`${title} as a table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              {names.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map(({ start, values }) => {
              const end = endOfStep(start, range);
              return (
                <tr key={start}>
                  <th scope="row">
                    {linkOf === undefined ? (
                      time(start)
                    ) : (
                      <a href={linkOf(start, end)}>{time(start)}</a>
                    )}
                  </th>
                  {values.map((value, i) => (
                    <td key={names[i]} class="number">
                      {shown(value, show)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}
