import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { LedgerEntry } from "../../../src/contract/ledger.ts";
import { gatewayPath } from "../api.ts";
import { useData, type Data } from "../data.ts";
import { count, usd } from "../format.ts";
import { CopyCurl, Empty, Head, Mark, Moment, More, State, Table } from "../parts/basics.tsx";
import { CallForm } from "../parts/form.tsx";
import { useList } from "../parts/list.ts";
import { OrgChoice, useChosen, useOrganizations } from "../parts/organizations.tsx";
import { may } from "../session.ts";

interface Balance {
  readonly balanceUsd: string;
  readonly availableUsd: string;
  readonly holds: number;
}

interface Month {
  readonly month: string;
  readonly debitsUsd: string;
  readonly topUpsUsd: string;
  readonly correctionsUsd: string;
  readonly entries: number;
}

export function Billing() {
  const organizations = useOrganizations();
  const chosen = useChosen(organizations);
  return chosen === null ? (
    <Empty>
      <p>There is no organization.</p>
    </Empty>
  ) : (
    <Books
      key={chosen}
      orgId={chosen}
      choice={<OrgChoice organizations={organizations} chosen={chosen} />}
    />
  );
}

function Books({ orgId, choice }: { readonly orgId: string; readonly choice: ComponentChildren }) {
  const base = `${gatewayPath}/orgs/${orgId}`;
  const balance = useData<Balance>(`${base}/balance`);
  const months = useData<Data<readonly Month[]>>(`${base}/ledger/months`);
  const ledger = useList<LedgerEntry>(`${base}/ledger?limit=50`);
  const [open, setOpen] = useState<"top-ups" | "corrections" | null>(null);
  // Chosen once for a form, so that sending it twice moves money once.
  const [reference, setReference] = useState("");
  const start = (what: "top-ups" | "corrections") => {
    setReference(`dashboard-${crypto.randomUUID()}`);
    setOpen(what);
  };
  const close = () => setOpen(null);
  return (
    <>
      <Head title="Billing" about="The prepaid balance and every entry that moved it.">
        {choice}
        <CopyCurl path={`${base}/ledger?limit=50`} />
        {may("operate") ? (
          <>
            <button type="button" onClick={() => start("corrections")}>
              Correct
            </button>
            <button type="button" class="main" onClick={() => start("top-ups")}>
              Top up
            </button>
          </>
        ) : null}
      </Head>
      <State loaded={balance}>
        <dl class="tiles">
          <div>
            <dt>Balance</dt>
            <dd>{usd(balance.value?.balanceUsd ?? null)}</dd>
          </div>
          <div>
            <dt>Available</dt>
            <dd>{usd(balance.value?.availableUsd ?? null)}</dd>
          </div>
          <div>
            <dt>Requests in flight</dt>
            <dd>{count(balance.value?.holds ?? null)}</dd>
          </div>
        </dl>
      </State>
      <section class="panel">
        <h2>Months</h2>
        <State loaded={months}>
          <Table
            label="Months"
            rows={months.value?.data ?? []}
            keyOf={({ month }) => month}
            columns={[
              { name: "Month (UTC)", cell: ({ month }) => month },
              { name: "Debits", cell: (row) => usd(row.debitsUsd), isNumber: true },
              { name: "Top-ups", cell: (row) => usd(row.topUpsUsd), isNumber: true },
              { name: "Corrections", cell: (row) => usd(row.correctionsUsd), isNumber: true },
              { name: "Entries", cell: (row) => count(row.entries), isNumber: true },
            ]}
          />
        </State>
      </section>
      <State loaded={ledger}>
        <Table
          label="Ledger"
          rows={ledger.rows}
          keyOf={({ id }) => id}
          columns={[
            { name: "Entry", cell: ({ id }) => id, isNumber: true },
            { name: "Time", cell: ({ createdAt }) => <Moment at={createdAt} /> },
            {
              name: "Kind",
              cell: ({ type }) => (
                <Mark kind={type === "debit" ? "plain" : type === "top_up" ? "good" : "warn"}>
                  {type.replace("_", "-")}
                </Mark>
              ),
            },
            {
              name: "Amount",
              cell: ({ type, amountUsd }) =>
                type === "debit" ? usd(`-${amountUsd}`) : usd(amountUsd),
              isNumber: true,
            },
            {
              name: "Balance after",
              cell: ({ balanceAfterUsd }) => usd(balanceAfterUsd),
              isNumber: true,
            },
            {
              name: "Request",
              cell: ({ requestId: id }) =>
                id === null ? (
                  <span class="none">–</span>
                ) : (
                  <a class="id" href={`/messages/${encodeURIComponent(id)}`}>
                    {id}
                  </a>
                ),
            },
            {
              name: "Reference",
              cell: ({ idempotencyKey }) => <span class="id">{idempotencyKey}</span>,
            },
          ]}
        />
        {ledger.more === null ? null : <More onClick={ledger.more} />}
      </State>
      {open === null ? null : (
        <CallForm
          title={open === "top-ups" ? "Top up the balance" : "Correct the balance"}
          submit={open === "top-ups" ? "Top up" : "Correct"}
          fields={[
            {
              name: "amountUsd",
              label: "US dollars",
              required: true,
              hint:
                open === "top-ups" ? "Such as 25.00." : "Such as 5.00, or -5.00 to take it away.",
            },
            {
              name: "idempotencyKey",
              label: "Reference",
              required: true,
              value: reference,
              hint: "Unique in the ledger: the same one again moves nothing.",
            },
          ]}
          callOf={(body) => ({ path: `${base}/${open}`, method: "POST", body })}
          onDone={() => {
            close();
            balance.reload();
            months.reload();
            ledger.reload();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
