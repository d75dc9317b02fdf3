import { ranges, rangeNames, useAddress, useRange } from "./range.ts";

export function RangeChoice() {
  const { range } = useRange();
  const { change } = useAddress();
  return (
    <div class="actions" role="group" aria-label="Range">
      {rangeNames.map((name) => (
        <button
          type="button"
          key={name}
          aria-pressed={name === range}
          onClick={() => change({ range: name === "24h" ? "" : name })}
        >
          {ranges[name].name}
        </button>
      ))}
    </div>
  );
}
