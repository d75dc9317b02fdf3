import { useState } from "preact/hooks";
import type { Org } from "../../../src/contract/keys-api/organization.ts";
import { gatewayPath } from "../api.ts";
import { usd } from "../format.ts";
import { CopyCurl, Empty, Head, Mark, Moment, More, State, Table } from "../parts/basics.tsx";
import { CallForm, type Field } from "../parts/form.tsx";
import { useList } from "../parts/list.ts";
import { may } from "../session.ts";

const path = `${gatewayPath}/orgs?limit=100`;

type Open = { readonly what: "create" } | { readonly what: "edit"; readonly org: Org };

export function Orgs() {
  const orgs = useList<Org>(path);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const done = () => {
    close();
    orgs.reload();
  };
  return (
    <>
      <Head title="Organizations" about="What keys, limits, balances and records belong to.">
        <CopyCurl path={path} />
        {may("operate") ? (
          <button type="button" class="main" onClick={() => setOpen({ what: "create" })}>
            New organization
          </button>
        ) : null}
      </Head>
      <State loaded={orgs}>
        {orgs.rows.length === 0 ? (
          <Empty>
            <p>There is no organization.</p>
          </Empty>
        ) : (
          <Table
            label="Organizations"
            rows={orgs.rows}
            keyOf={({ id }) => id}
            columns={[
              { name: "Name", cell: (org) => <a href={`/billing?org=${org.id}`}>{org.name}</a> },
              { name: "Id", cell: ({ id }) => <span class="id">{id}</span> },
              { name: "Plan", cell: ({ plan }) => plan },
              {
                name: "Budget",
                cell: ({ budget }) =>
                  budget === null ? (
                    <span class="none">none</span>
                  ) : (
                    `${usd(budget.usd)} in a ${budget.window.replace("1 ", "")}`
                  ),
              },
              {
                name: "A minute",
                cell: ({ rateLimit }) => rateLimit ?? <span class="none">no cap</span>,
                isNumber: true,
              },
              { name: "Content kept", cell: ({ retentionDays }) => `${retentionDays ?? 90} days` },
              {
                name: "Pays through",
                cell: ({ payg }) => <Mark kind={payg === "enabled" ? "good" : "warn"}>{payg}</Mark>,
              },
              { name: "Since", cell: ({ createdAt }) => <Moment at={createdAt} /> },
              {
                name: "",
                cell: (org) =>
                  may("operate") ? (
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Change ${org.name}`}
                      onClick={() => setOpen({ what: "edit", org })}
                    >
                      Change
                    </button>
                  ) : null,
              },
            ]}
          />
        )}
        {orgs.more === null ? null : <More onClick={orgs.more} />}
      </State>
      {open === null ? null : (
        <CallForm
          title={open.what === "edit" ? `Change ${open.org.name}` : "New organization"}
          submit={open.what === "edit" ? "Save" : "Make the organization"}
          fields={fieldsOf(open.what === "edit" ? open.org : null)}
          callOf={(values) => {
            const body = bodyOf(values);
            if (typeof body === "string") return body;
            return open.what === "edit"
              ? { path: `${gatewayPath}/orgs/${open.org.id}`, method: "PATCH", body }
              : { path: `${gatewayPath}/orgs`, method: "POST", body };
          }}
          onDone={done}
          onClose={close}
        />
      )}
    </>
  );
}

function fieldsOf(org: Org | null): readonly Field[] {
  return [
    { name: "name", label: "Name", required: true, value: org?.name ?? "" },
    {
      name: "plan",
      label: "Plan",
      value: org?.plan ?? "paid",
      choices: [
        ["paid", "paid"],
        ["free", "free: no usage limits"],
      ],
    },
    {
      name: "budget",
      label: "Budget in US dollars",
      value: org?.budget?.usd ?? "",
      hint: "Empty: none.",
    },
    {
      name: "window",
      label: "Budget's window",
      value: org?.budget?.window.replace("1 ", "") ?? "month",
      choices: ["hour", "day", "week", "month"].map((one) => [one, one]),
    },
    {
      name: "rateLimit",
      label: "Requests a minute",
      value: org?.rateLimit?.toString() ?? "",
      hint: "Empty: no cap.",
    },
    {
      name: "retentionDays",
      label: "Days that readable content is kept",
      value: org?.retentionDays?.toString() ?? "",
      hint: "Empty: 90.",
    },
    {
      name: "payg",
      label: "Pays through the service",
      value: org?.payg ?? "enabled",
      choices: [
        ["enabled", "enabled"],
        ["disabled", "disabled"],
      ],
    },
  ];
}

function bodyOf(values: Readonly<Record<string, string>>): object | string {
  const { name, plan, budget = "", window, rateLimit = "", retentionDays = "", payg } = values;
  if (!/^\d*$/.test(rateLimit.trim()) || !/^\d*$/.test(retentionDays.trim()))
    return "Caps and days must be whole numbers.";
  const number = (text: string) => (text.trim() === "" ? null : Number(text));
  return {
    name,
    plan,
    budget: budget.trim() === "" ? null : { usd: budget.trim(), window },
    rateLimit: number(rateLimit),
    retentionDays: number(retentionDays),
    payg,
  };
}
