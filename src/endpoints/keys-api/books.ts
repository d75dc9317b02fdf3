import type { OrgBudget } from "../../contract/keys-api/budget.ts";
import { CreateCorrection, CreateTopUp } from "../../contract/keys-api/books.ts";
import { refuseParameter } from "../../contract/errors.ts";
import type { LedgerEntry } from "../../contract/ledger.ts";
import { ledgerMonthsMax, usdWholeDigitsMax } from "../../contract/limits.ts";
import { formatUsd, microUsd, parseUsd, zeroUsd, type MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { SchemaReader } from "../../contract/schema-reader.ts";
import { budgetUse, type CurrentSpending } from "../../pipeline/limits/usage-view.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Ledger, TopUp } from "../../store/ledger/ledger.ts";
import type { Page, PageQuery } from "../../store/page.ts";
import { listAnswer } from "../list-page.ts";
import { answered, json, type Call, type Done } from "./endpoint.ts";
import { operatorOnly } from "./manager.ts";
import { readPage } from "./page.ts";
import { organizationFor, type FindOrganization } from "./scope.ts";

const topUpBody = new SchemaReader(CreateTopUp);
const correctionBody = new SchemaReader(CreateCorrection);

export interface BooksOptions {
  readonly ledger: Ledger;
  /** Balances below it are low. */
  readonly lowBalance: MicroUsd;
  readonly find: FindOrganization;
  readonly currentSpending: CurrentSpending;
  readonly clock: Clock;
}

/** `/api/v1/gateway/orgs/:id/…`: the books of an organization. Admins may look at their own. */
export class BooksEndpoints {
  readonly #ledger: Ledger;
  readonly #lowBalance: MicroUsd;
  readonly #find: FindOrganization;
  readonly #currentSpending: CurrentSpending;
  readonly #clock: Clock;

  constructor({ ledger, lowBalance, find, currentSpending, clock }: BooksOptions) {
    this.#ledger = ledger;
    this.#lowBalance = lowBalance;
    this.#find = find;
    this.#currentSpending = currentSpending;
    this.#clock = clock;
  }

  /** Errors: `forbidden`, `invalid_request`, `not_found`, `duplicate_entry`, `internal_error`. */
  topUp(call: Call): Promise<Outcome<Done>> {
    return this.#enter(call, "top_up", topUpBody, (text) => {
      const amount = parseUsd(text);
      if (!amount.ok) return notAnAmount;
      return amount.value === 0n ? notPositive : amount;
    });
  }

  /** Errors: as `topUp`. */
  correct(call: Call): Promise<Outcome<Done>> {
    return this.#enter(call, "correction", correctionBody, (text) => {
      const amount = parseUsd(text.replace(/^-/, ""));
      if (!amount.ok) return notAnAmount;
      if (amount.value === 0n) return notZero;
      return text.startsWith("-") ? accept(microUsd(0n - amount.value)) : amount;
    });
  }

  /** Errors: `not_found`. */
  async balance({ manager, id }: Call): Promise<Outcome<Done>> {
    const found = organizationFor(manager, id, this.#find);
    if (!found.ok) return found;
    const { balance, available, holds } = (await this.#ledger.freshBalance(id)) ?? noBalance;
    const amounts = { balanceUsd: formatUsd(balance), availableUsd: formatUsd(available) };
    return accept({ answer: json({ ...amounts, holds, isLow: balance < this.#lowBalance }) });
  }

  /** Everything that the books know of what the organization may spend. Errors: `not_found`. */
  async budget({ manager, id }: Call): Promise<Outcome<Done>> {
    const found = organizationFor(manager, id, this.#find);
    if (!found.ok) return found;
    const { budget } = found.value;
    await this.#ledger.caughtUp(id);
    const month = new Date(this.#clock.wallMs()).toISOString().slice(0, "2026-01".length);
    const [latest] = await this.#ledger.months(id, 1);
    const { balance, available, holds } = (await this.#ledger.freshBalance(id)) ?? noBalance;
    const data: OrgBudget = {
      orgId: id,
      budget: budget === null ? null : await budgetUse(id, null, budget, this.#currentSpending),
      balanceUsd: formatUsd(balance),
      availableUsd: formatUsd(available),
      heldUsd: formatUsd(microUsd(balance - available)),
      holds,
      isLow: balance < this.#lowBalance,
      month,
      spentUsd: formatUsd(latest?.month === month ? latest.debits : zeroUsd),
    };
    return accept({ answer: json({ data }) });
  }

  /** Errors: `not_found`, `invalid_request`. */
  async list({ manager, id, query }: Call): Promise<Outcome<Done>> {
    const found = organizationFor(manager, id, this.#find);
    if (!found.ok) return found;
    const page = readPage(query, /^[1-9]\d{0,15}$/);
    if (!page.ok) return page;
    await this.#ledger.caughtUp(id);
    const read = async (part: PageQuery): Promise<Outcome<Page<LedgerEntry>>> => {
      const listed = await this.#ledger.list({ orgId: id, ...part });
      if (!listed.ok) return listed;
      const { entries: items, nextCursor } = listed.value;
      return accept({ items, nextCursor });
    };
    return answered(listAnswer(page.value, read));
  }

  /** Errors: `not_found`. */
  async months({ manager, id }: Call): Promise<Outcome<Done>> {
    const found = organizationFor(manager, id, this.#find);
    if (!found.ok) return found;
    await this.#ledger.caughtUp(id);
    const months = await this.#ledger.months(id, ledgerMonthsMax);
    const data = months.map((month) => ({
      month: month.month,
      debitsUsd: formatUsd(month.debits),
      topUpsUsd: formatUsd(month.topUps),
      correctionsUsd: formatUsd(month.corrections),
      entries: month.entries,
    }));
    return accept({ answer: json({ data }) });
  }

  async #enter(
    { manager, id, body }: Call,
    type: TopUp["type"],
    reader: SchemaReader<typeof CreateTopUp>,
    amountOf: (text: string) => Outcome<MicroUsd>,
  ): Promise<Outcome<Done>> {
    const allowed = operatorOnly(manager);
    if (!allowed.ok) return allowed;
    const found = organizationFor(manager, id, this.#find);
    if (!found.ok) return found;
    const read = reader.read(body);
    if (!read.ok) return read;
    const { amountUsd, idempotencyKey } = read.value;
    const amount = amountOf(amountUsd);
    if (!amount.ok) return amount;
    const entry = await this.#ledger.topUp({
      orgId: id,
      amount: amount.value,
      type,
      idempotencyKey,
    });
    return entry.ok ? accept({ answer: json({ data: entry.value }, 201) }) : entry;
  }
}

const noBalance = { balance: zeroUsd, available: zeroUsd, holds: 0 };
const notAnAmount = refuseParameter(
  "amountUsd",
  `amountUsd must be a decimal string such as "1.25" with at most ${usdWholeDigitsMax} digits before the point and six behind it.`,
);
const notPositive = refuseParameter("amountUsd", "A top-up must be more than 0.");
const notZero = refuseParameter("amountUsd", "A correction must not be 0.");
