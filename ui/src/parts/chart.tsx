import { time } from "../format.ts";

export interface Point {
  readonly start: string;
  readonly value: number;
}

const height = 100;
const width = 600;

/** Steps as bars, from `since` until now; the same numbers stand in a table below. */
export function Chart(props: {
  readonly title: string;
  readonly points: readonly Point[];
  readonly show: (value: number) => string;
  readonly since: string;
}) {
  const { title, points, show, since } = props;
  const top = Math.max(...points.map(({ value }) => value), 0);
  const fromMs = Date.parse(since);
  const untilMs = Date.now();
  const starts = points.map(({ start }) => Date.parse(start)).sort((a, b) => a - b);
  const stepMs = Math.min(
    ...starts.slice(1).map((ms, i) => ms - (starts[i] ?? 0)),
    (untilMs - fromMs) / 24,
  );
  const barWidth = Math.max(2, (stepMs / (untilMs - fromMs)) * width - 2);
  return (
    <section class="panel">
      <h2>{title}</h2>
      {points.length === 0 ? (
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
            {points.map(({ start, value }) => {
              const x = ((Date.parse(start) - fromMs) / (untilMs - fromMs)) * width;
              const bar = top === 0 ? 0 : (value / top) * height;
              return (
                <rect key={start} x={Math.max(0, x)} y={height - bar} width={barWidth} height={bar}>
                  <title>{`${time(start)}: ${show(value)}`}</title>
                </rect>
              );
            })}
          </svg>
          <div class="axis">
            <span>{time(since)}</span>
            <span>highest {show(top)}</span>
            <span>now</span>
          </div>
          <details>
            <summary>As a table</summary>
            <table>
              <tbody>
                {points.map(({ start, value }) => (
                  <tr key={start}>
                    <th scope="row">{time(start)}</th>
                    <td class="number">{show(value)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  );
}
