import { useState } from "preact/hooks";
import type { UsageLimit } from "../../../src/contract/usage-limit.ts";
import type { ListedUsageLimit } from "../../../src/contract/keys-api/usage-limit.ts";
import { gatewayPath } from "../api.ts";
import { count, usd } from "../format.ts";
import { Bar, CopyCurl, Empty, Head, Mark, More, State, Table } from "../parts/basics.tsx";
import { CallForm, Confirm, type Field } from "../parts/form.tsx";
import { useList } from "../parts/list.ts";
import { orgField, useOrganizations } from "../parts/organizations.tsx";
import { may } from "../session.ts";

const path = `${gatewayPath}/usage-limits?limit=100&include=usage`;

type Open =
  { readonly what: "create" } | { readonly what: "edit" | "remove"; readonly limit: UsageLimit };

export function Limits() {
  const limits = useList<ListedUsageLimit>(path);
  const organizations = useOrganizations();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const done = () => {
    close();
    limits.reload();
  };
  const nameOf = (orgId: string) => organizations.find(({ id }) => id === orgId)?.name ?? orgId;
  return (
    <>
      <Head title="Limits" about="Rolling caps on cost, tokens and requests.">
        <CopyCurl path={path} />
        {may("write") ? (
          <button type="button" class="main" onClick={() => setOpen({ what: "create" })}>
            New limit
          </button>
        ) : null}
      </Head>
      <State loaded={limits}>
        {limits.rows.length === 0 ? (
          <Empty>
            <p>There is no limit. Organizations and keys may spend what they have.</p>
          </Empty>
        ) : (
          <Table
            label="Usage limits"
            rows={limits.rows}
            keyOf={({ id }) => id}
            columns={[
              { name: "Name", cell: (limit) => limit.name },
              { name: "Organization", cell: (limit) => nameOf(limit.orgId) },
              {
                name: "Counts",
                cell: (limit) =>
                  limit.apiKeyId === null ? "all keys" : <span class="id">{limit.apiKeyId}</span>,
              },
              {
                name: "Cap",
                cell: (limit) =>
                  `${amount(limit.limitType, limit.threshold)} in ${limit.timeWindow}`,
              },
              { name: "Used", cell: (limit) => <Used limit={limit} /> },
              {
                name: "Status",
                cell: ({ enabled }) => (
                  <Mark kind={enabled ? "good" : "plain"}>{enabled ? "checked" : "disabled"}</Mark>
                ),
              },
              {
                name: "",
                cell: (limit) =>
                  may("write") ? (
                    <>
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`Change ${limit.name}`}
                        onClick={() => setOpen({ what: "edit", limit })}
                      >
                        Change
                      </button>
                      <button
                        type="button"
                        class="quiet bad"
                        aria-label={`Remove ${limit.name}`}
                        onClick={() => setOpen({ what: "remove", limit })}
                      >
                        Remove
                      </button>
                    </>
                  ) : null,
              },
            ]}
          />
        )}
        {limits.more === null ? null : <More onClick={limits.more} />}
      </State>
      {open?.what === "create" ? (
        <CallForm
          title="New limit"
          submit="Make the limit"
          fields={[
            nameField(""),
            orgField(organizations),
            typeField,
            ...capFields(null),
            { name: "apiKeyId", label: "Key", hint: "The id of one key. Empty: all keys." },
          ]}
          callOf={({ apiKeyId = "", ...body }) => ({
            path: `${gatewayPath}/usage-limits`,
            method: "POST",
            body: { ...body, apiKeyId: apiKeyId.trim() === "" ? null : apiKeyId.trim() },
          })}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {open?.what === "edit" ? (
        <CallForm
          title={`Change ${open.limit.name}`}
          submit="Save"
          fields={[
            nameField(open.limit.name),
            ...capFields(open.limit),
            {
              name: "enabled",
              label: "Checked",
              value: String(open.limit.enabled),
              choices: [
                ["true", "yes"],
                ["false", "no"],
              ],
            },
          ]}
          callOf={({ enabled, ...body }) => ({
            path: `${gatewayPath}/usage-limits/${open.limit.id}`,
            method: "PATCH",
            body: { ...body, enabled: enabled === "true" },
          })}
          onDone={done}
          onClose={close}
        />
      ) : null}
      {open?.what === "remove" ? (
        <Confirm
          title={`Remove ${open.limit.name}`}
          submit="Remove"
          path={`${gatewayPath}/usage-limits/${open.limit.id}`}
          onDone={done}
          onClose={close}
        >
          What it has counted stays in the records.
        </Confirm>
      ) : null}
    </>
  );
}

function Used({ limit }: { readonly limit: ListedUsageLimit }) {
  if (limit.usage === undefined) return <span class="none">–</span>;
  const { currentUsage, threshold } = limit.usage;
  const share = Number(currentUsage) / Number(threshold);
  return (
    <>
      <Bar share={share} label={`${Math.round(share * 100)} % used`} />{" "}
      {amount(limit.limitType, currentUsage)}
    </>
  );
}

function amount(type: UsageLimit["limitType"], text: string): string {
  return type === "cost" ? usd(text) : `${count(Number(text))} ${type}`;
}

const nameField = (value: string): Field => ({
  name: "name",
  label: "Name",
  required: true,
  value,
});
const typeField: Field = {
  name: "limitType",
  label: "Counts",
  choices: [
    ["cost", "cost in US dollars"],
    ["tokens", "tokens"],
    ["requests", "requests"],
  ],
};

function capFields(limit: UsageLimit | null): readonly Field[] {
  return [
    {
      name: "threshold",
      label: "Cap",
      required: true,
      value: limit?.threshold ?? "",
      hint: "US dollars such as 50.00, else a whole number.",
    },
    {
      name: "timeWindow",
      label: "Rolling window",
      value: limit?.timeWindow ?? "1 day",
      choices: [
        ["1 hour", "an hour"],
        ["1 day", "a day"],
        ["1 week", "a week"],
        ["1 month", "a month"],
      ],
    },
  ];
}
