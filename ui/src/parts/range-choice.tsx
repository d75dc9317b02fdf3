import { time } from "../format.ts";
import { ranges, rangeNames, useAddress, useRange } from "./range.ts";

export function RangeChoice() {
  const { name: chosen, since, until } = useRange();
  const { change } = useAddress();
  return (
    <div class="actions" role="group" aria-label="Range">
      {chosen === null ? (
        <button
          type="button"
          aria-pressed="true"
          title="Back to the last 24 hours"
          onClick={() => change({ since: "", until: "" })}
        >
          {time(since)} – {time(until)} ×
        </button>
      ) : null}
      {rangeNames.map((name) => (
        <button
          type="button"
          key={name}
          aria-pressed={name === chosen}
          onClick={() => change({ range: name === "24h" ? "" : name, since: "", until: "" })}
        >
          {ranges[name].name}
        </button>
      ))}
    </div>
  );
}
