import type { BudgetUse } from "../../../src/contract/keys-api/budget.ts";
import { percent, usd } from "../format.ts";
import { Bar } from "./basics.tsx";

/** How much of a budget is spent. */
export function Spent({ budget }: { readonly budget: BudgetUse }) {
  const share = Number(budget.usedUsd) / Number(budget.usd);
  return (
    <>
      <Bar share={share} label={`${percent(share)} spent`} /> {usd(budget.usedUsd)} of{" "}
      {usd(budget.usd)} in a {budget.window.replace("1 ", "")}
    </>
  );
}
