import {
  recordColumnNames,
  recordColumns,
  usualColumns,
  type RecordColumnName,
} from "./record-table.tsx";
import { useAddress } from "./range.ts";

/** The columns that the page's address names, else the usual ones. */
export function useColumns(): readonly RecordColumnName[] {
  const { query } = useAddress();
  const asked = (query["columns"] ?? "").split(",");
  const found = recordColumnNames.filter((name) => asked.includes(name));
  return found.length === 0 ? usualColumns : found;
}

export function ColumnChoice() {
  const { change } = useAddress();
  const chosen = useColumns();
  const toggle = (name: RecordColumnName): void => {
    const next = recordColumnNames.filter((one) => chosen.includes(one) !== (one === name));
    const isUsual = next.join() === usualColumns.join();
    change({ columns: isUsual ? "" : next.join(",") });
  };
  return (
    <fieldset class="panel choices">
      <legend class="hidden">Columns</legend>
      {recordColumnNames.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            disabled={chosen.length === 1 && chosen.includes(name)}
            onChange={() => toggle(name)}
          />{" "}
          {recordColumns[name].name}
        </label>
      ))}
    </fieldset>
  );
}
