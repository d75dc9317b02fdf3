import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { OrgBudget } from "../../../src/contract/keys-api/budget.ts";
import type { Me } from "../../../src/contract/keys-api/me.ts";
import type { LedgerEntry } from "../../../src/contract/ledger.ts";
import { gatewayPath } from "../api.ts";
import { useData, type Data } from "../data.ts";
import { count, usd } from "../format.ts";
import { CopyCurl, Empty, Head, Mark, Moment, More, State, Table } from "../parts/basics.tsx";
import { Spent } from "../parts/budget.tsx";
import { CallForm } from "../parts/form.tsx";
import { useList } from "../parts/list.ts";
import { OrgChoice, useChosen, useOrganizations } from "../parts/organizations.tsx";
import { Agreement } from "../parts/agreement.tsx";
import { may, session } from "../session.ts";

interface Month {
  readonly month: string;
  readonly debitsUsd: string;
  readonly topUpsUsd: string;
  readonly correctionsUsd: string;
  readonly entries: number;
}

export function Billing() {
  return session.value?.key.role === "member" ? <OwnBalance /> : <AllBooks />;
}

/** What a key may know of the balance that it spends. */
function OwnBalance() {
  const me = useData<Data<Pick<Me, "balance" | "organization">>>("/v1/me");
  const balance = me.value?.data.balance ?? null;
  return (
    <>
      <Head title="Billing" about="The prepaid balance that this key's requests are paid from.">
        <CopyCurl path="/v1/me" />
      </Head>
      <State loaded={me}>
        <dl class="tiles">
          <div>
            <dt>Balance</dt>
            <dd>{usd(balance?.balanceUsd ?? null)}</dd>
          </div>
          <div>
            <dt>Available</dt>
            <dd>{usd(balance?.availableUsd ?? null)}</dd>
          </div>
        </dl>
      </State>
    </>
  );
}

function AllBooks() {
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

function Money({ of }: { readonly of: OrgBudget }) {
  const tiles = [
    ["Balance", usd(of.balanceUsd)],
    ["Available", usd(of.availableUsd)],
    ["Held by requests in flight", `${usd(of.heldUsd)} by ${count(of.holds)}`],
    [`Spent in ${of.month}`, usd(of.spentUsd)],
  ] as const;
  return (
    <>
      <dl class="tiles">
        {tiles.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {of.isLow ? (
        <p class="panel">
          <Mark kind="warn">The balance is low.</Mark>
        </p>
      ) : null}
      {of.budget === null ? null : (
        <p class="panel">
          Budget: <Spent budget={of.budget} />
        </p>
      )}
    </>
  );
}

function Books({ orgId, choice }: { readonly orgId: string; readonly choice: ComponentChildren }) {
  const base = `${gatewayPath}/orgs/${orgId}`;
  const money = useData<Data<OrgBudget>>(`${base}/budget`);
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
      <State loaded={money}>{money.value === null ? null : <Money of={money.value.data} />}</State>
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
      <Agreement orgId={orgId} months={months.value?.data ?? []} />
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
            money.reload();
            months.reload();
            ledger.reload();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
