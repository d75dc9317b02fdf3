import type { Operator, Organizations } from "./operator.ts";
import type { ScanKind } from "./scan-activities.ts";
import type { SoakProviders } from "./soak-provider.ts";
import type { Witness } from "./witness.ts";

/** What the books say at the end, beside what they should. */
export interface Books {
  readonly debits: number;
  readonly debitedMicroUsd: bigint;
  readonly chargedMicroUsd: bigint;
  /** What does not square, as sentences; none: the books are square. */
  readonly faults: readonly string[];
}

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly micro: bigint;
  readonly idempotencyKey: string;
}

/**
 * Squares the books of a gateway that rests: each debit of models is a provider's charge, each scan that
 * was answered is debited at its price, what answers promised is entered, every debit has its audit
 * record, the balance follows from the entries, the months and the usage of the records are those of the debits,
 * and nothing is held.
 */
export async function squareBooks(
  operator: Operator,
  organizations: Organizations,
  providers: SoakProviders,
  witness: Witness,
): Promise<Books> {
  const faults: string[] = [];
  const expectEqual = (what: string, found: unknown, expected: unknown): void => {
    if (found !== expected) faults.push(`${what}: ${String(found)}, not ${String(expected)}`);
  };
  const debits = new Map<string, bigint>();
  let modelDebits = 0;
  let modelMicroUsd = 0n;
  for (const [name, orgId] of Object.entries<string>({ ...organizations })) {
    const entries = await entriesOf(operator, orgId);
    const own = await squareOrganization(operator, orgId, entries, expectEqual);
    for (const [request, micro] of own) {
      debits.set(request, micro);
      if (name !== "models") continue;
      modelDebits += 1;
      modelMicroUsd += micro;
    }
  }
  expectEqual("debits for models", modelDebits, providers.charges);
  expectEqual("micro-dollars for models", modelMicroUsd, providers.chargedMicroUsd);
  for (const { requestId, costUsd } of witness.promised) {
    const cost = micro(costUsd);
    if (cost > 0n) expectEqual(`the promised debit of ${requestId}`, debits.get(requestId), cost);
  }
  for (const { requestId, kind, billableTokens } of witness.scans) {
    const price = scanMicroUsd(kind, billableTokens);
    expectEqual(`the scan ${requestId}`, debits.get(requestId), price);
  }
  const debitedMicroUsd = [...debits.values()].reduce((sum, one) => sum + one, 0n);
  const { chargedMicroUsd } = providers;
  return { debits: debits.size, debitedMicroUsd, chargedMicroUsd, faults: faults.slice(0, 20) };
}

type Expect = (what: string, found: unknown, expected: unknown) => void;

/** Debits by request. */
async function squareOrganization(
  operator: Operator,
  orgId: string,
  entries: readonly Entry[],
  expectEqual: Expect,
): Promise<ReadonlyMap<string, bigint>> {
  const debits = new Map<string, bigint>();
  let balance = 0n;
  let toppedUp = 0n;
  for (const { type, micro, idempotencyKey } of entries) {
    balance += type === "debit" ? -micro : micro;
    if (type !== "debit") toppedUp += micro;
    else if (debits.has(idempotencyKey)) expectEqual(`debits of ${idempotencyKey}`, 2, 1);
    else debits.set(idempotencyKey, micro);
  }
  expectEqual("top-ups", toppedUp, operator.toppedUpMicroUsd.get(orgId));
  const { balanceUsd, availableUsd, holds } = await operator.balance(orgId);
  expectEqual("the balance", micro(balanceUsd), balance);
  expectEqual("what is available", micro(availableUsd), balance);
  expectEqual("live holds", holds, 0);
  const debited = [...debits.values()].reduce((sum, one) => sum + one, 0n);
  const months = await operator.months(orgId);
  const sumOf = (usd: readonly string[]): bigint => usd.reduce((sum, one) => sum + micro(one), 0n);
  expectEqual("the debits of all months", sumOf(months.map((one) => one.debitsUsd)), debited);
  expectEqual("the top-ups of all months", sumOf(months.map((one) => one.topUpsUsd)), toppedUp);
  // All records have their end here, so nothing is owed and every cost is a debit.
  for (const groupBy of ["org", "key", "model"]) {
    const costs = await operator.costs(orgId, groupBy);
    expectEqual(`the usage by ${groupBy}`, sumOf(costs), debited);
  }
  const recorded = new Map<string, bigint>();
  for (const record of await operator.records(orgId)) {
    const cost = record["cost_usd"] ?? "";
    if (cost !== "" && micro(cost) > 0n) recorded.set(record["request_id"] ?? "", micro(cost));
  }
  expectEqual("audit records with a cost", recorded.size, debits.size);
  for (const [request, micro] of debits) {
    if (recorded.get(request) === micro) continue;
    expectEqual(`the audit record of ${request}`, recorded.get(request), micro);
  }
  return debits;
}

async function entriesOf(operator: Operator, orgId: string): Promise<readonly Entry[]> {
  const rows = await operator.ledger(orgId);
  return rows.map(({ id, type, amountUsd, idempotencyKey }) => ({
    id,
    type: String(type),
    micro: micro(String(amountUsd)),
    idempotencyKey: String(idempotencyKey),
  }));
}

/** At the default prices of a scan, in hundredths of a micro-dollar a token. */
const scanRates: Readonly<Record<ScanKind, bigint>> = { injection: 10n, entities: 5n, both: 15n };
const scanTokensMin = 100;

function scanMicroUsd(kind: ScanKind, billableTokens: number): bigint {
  return (BigInt(Math.max(billableTokens, scanTokensMin)) * scanRates[kind] + 50n) / 100n;
}

function micro(usd: string): bigint {
  const match = /^(\d+)\.(\d{6})$/.exec(usd);
  if (match === null) throw new Error(`no amount of six places: ${usd}`);
  return BigInt(`${match[1]}${match[2]}`);
}
